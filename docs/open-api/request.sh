#!/bin/sh
# Sends a signed request to the open API with curl and openssl.
# Usage: CHARGEHAND_URL=https://... APP_ID=app_... APP_SECRET=chs_... ./request.sh METHOD PATH[?QUERY] [BODY]
set -eu
method=$1
target=$2
body=${3-}
path=${target%%\?*}
case $target in *\?*) query="?${target#*\?}" ;; *) query='?' ;; esac

created=$(date +%s)
nonce=$(openssl rand -hex 16)
components='"@method" "@path" "@query"'
base="\"@method\": $method
\"@path\": $path
\"@query\": $query"
set --
if [ -n "$body" ]; then
  digest="sha-256=:$(printf %s "$body" | openssl dgst -sha256 -binary | base64):"
  components="$components \"content-digest\""
  base="$base
\"content-digest\": $digest"
  set -- -H "Content-Digest: $digest" -H 'Content-Type: application/json' --data-binary "$body"
fi
params="($components);created=$created;nonce=\"$nonce\";keyid=\"$APP_ID\";alg=\"hmac-sha256\""
base="$base
\"@signature-params\": $params"
signature=$(printf %s "$base" | openssl dgst -sha256 -hmac "$APP_SECRET" -binary | base64)

exec curl -sS -X "$method" "$CHARGEHAND_URL$target" -H "Signature-Input: sig=$params" -H "Signature: sig=:$signature:" "$@"
