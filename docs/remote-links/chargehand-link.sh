#!/bin/sh
# Opens a link of Chargehand (control 7) with OpenSSH or dropbear. Run it in the background, and stop it with SIGTERM on
# control 8. Set these variables from the fields of control 7, and export them:
#   LINK_HOST LINK_PORT LINK_HOST_KEY LINK_USER LINK_TICKET
#   LINK_FORWARDS   "listen:to" of each forward, separated by spaces, such as "22:127.0.0.1:22"
# Nothing is kept: a temporary folder has the host key while the link is open, and the ticket is never in a file.
set -eu
umask 077
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for forward in $LINK_FORWARDS; do set -- "$@" -R "localhost:$forward"; done
if command -v "${LINK_SSH:-ssh}" >/dev/null; then
  printf 'chargehand %s\n' "$LINK_HOST_KEY" >"$folder/known_hosts"
  printf '#!/bin/sh\nprintf "%%s\\n" "$LINK_TICKET"\n' >"$folder/ask"
  chmod 700 "$folder/ask"
  SSH_ASKPASS="$folder/ask" SSH_ASKPASS_REQUIRE=force DISPLAY=none "${LINK_SSH:-ssh}" -F none -N -T -p "$LINK_PORT" \
    -o HostKeyAlias=chargehand -o UserKnownHostsFile="$folder/known_hosts" -o GlobalKnownHostsFile=none \
    -o StrictHostKeyChecking=yes -o PreferredAuthentications=password -o NumberOfPasswordPrompts=1 \
    -o ExitOnForwardFailure=yes -o ConnectTimeout=20 -o ServerAliveInterval=15 "$@" "$LINK_USER@$LINK_HOST" </dev/null &
else
  mkdir "$folder/.ssh"
  printf '%s %s\n' "$LINK_HOST" "$LINK_HOST_KEY" >"$folder/.ssh/known_hosts"
  HOME="$folder" DROPBEAR_PASSWORD="$LINK_TICKET" dbclient -N -T -K 15 -o ExitOnForwardFailure=yes -p "$LINK_PORT" \
    "$@" "$LINK_USER@$LINK_HOST" </dev/null &
fi
client=$!
trap 'kill "$client" 2>/dev/null' TERM INT HUP
wait "$client"
