#!/bin/sh
# Opens a link of Chargehand (control 7) with OpenSSH or dropbear. Run it in the background, and stop it with SIGTERM on
# control 8. Set these variables from the fields of control 7, and export them:
#   LINK_HOST LINK_PORT LINK_HOST_KEY LINK_USER LINK_TICKET
#   LINK_HOST_KEYS  the hostKeys, one on each line, for clients without Ed25519 (optional)
#   LINK_FORWARDS   "listen:to" of each forward, separated by spaces, such as "22:127.0.0.1:22"
# For terminals without a password, also set
#   LINK_KEY        the authorizedKey
#   LINK_SECONDS    the seconds
# and, if they differ on this device:
#   LINK_USER_NAME         the user who accepts the key; default: the user who runs this script
#   LINK_AUTHORIZED_KEYS   the file; default: .ssh/authorized_keys in the home folder of the user
#   LINK_SERVER            the SSH server of this device: openssh or dropbear; default: openssh if sshd is installed
# Nothing is kept: a temporary folder has the host key while the link is open, and the ticket is never in a file. The
# key is in the file of the user while the link is open; the server forgets the private key when the link ends.
set -eu
umask 077
folder=$(mktemp -d)
keys= added=

# Changes the file of keys without another run of this script in between.
lock() {
  tries=0
  until mkdir "$keys.lock" 2>/dev/null || [ "$tries" -ge 5 ]; do tries=$((tries + 1)) && sleep 1; done
}

# Removes the line of this link, and those that a power failure left. All others stay as they are.
remove_key() {
  [ -n "$keys" ] && [ -e "$keys" ] || return 0
  lock
  if cp -p "$keys" "$keys.$mark" && awk -v mark="$mark" -v now="$(date +%s)" '
    $NF ~ /^chargehand-link-/ { n = split($NF, part, "-"); if ($NF == mark || part[n] + 0 < now + 0) next }
    { print }' "$keys" >"$keys.$mark"; then
    cmp -s "$keys" "$keys.$mark" || mv -f "$keys.$mark" "$keys"
  fi
  rm -f "$keys.$mark"
  rmdir "$keys.lock" 2>/dev/null || :
}

# Adds the key for the user, and sets `keys`. Without it, users enter a password.
add_key() {
  user=${LINK_USER_NAME:-$(id -un)}
  home=$(awk -F: -v user="$user" '$1 == user { print $6 }' /etc/passwd)
  file=${LINK_AUTHORIZED_KEYS:-$home/.ssh/authorized_keys}
  server=${LINK_SERVER:-}
  if [ -z "$server" ] && { [ -x /usr/sbin/sshd ] || command -v sshd >/dev/null; }; then server=openssh; fi
  end=$(($(date +%s) + ${LINK_SECONDS:-28800}))
  mark="chargehand-link-$$-$end"
  options=no-port-forwarding,no-agent-forwarding,no-X11-forwarding
  if [ "$server" = openssh ]; then
    # In the time of this device: its clock and zone may be wrong, but are those of its SSH server.
    options="$options,expiry-time=\"$(date -d "@$end" +%Y%m%d%H%M%S)\"" || return 1
  fi
  # A symbolic link could lead to a file of another user.
  [ ! -L "$file" ] && [ ! -L "$(dirname "$file")" ] || return 1
  [ -d "$(dirname "$file")" ] || { mkdir "$(dirname "$file")" && chown "$user" "$(dirname "$file")"; } || return 1
  [ -e "$file" ] || { : >"$file" && chown "$user" "$file"; } || return 1
  keys=$file
  remove_key
  lock
  [ -z "$(tail -c 1 "$file")" ] || echo >>"$file"
  printf '%s %s %s\n' "$options" "$LINK_KEY" "$mark" >>"$file" && added=yes
  rmdir "$file.lock" 2>/dev/null || :
  [ -n "$added" ]
}

# The keys of the server, each with the name under which the client looks for them.
known_hosts() {
  printf '%s\n' "${LINK_HOST_KEYS:-$LINK_HOST_KEY}" | while read -r key; do printf '%s %s\n' "$1" "$key"; done
}

trap 'remove_key; rm -rf "$folder"' EXIT
if [ -n "${LINK_KEY:-}" ] && add_key 2>/dev/null; then LINK_USER="$LINK_USER+$user"; fi
for forward in $LINK_FORWARDS; do set -- "$@" -R "localhost:$forward"; done
if command -v "${LINK_SSH:-ssh}" >/dev/null; then
  known_hosts chargehand >"$folder/known_hosts"
  printf '#!/bin/sh\nprintf "%%s\\n" "$LINK_TICKET"\n' >"$folder/ask"
  chmod 700 "$folder/ask"
  # The server is fastest with this cipher.
  cipher=aes128-gcm@openssh.com
  if "${LINK_SSH:-ssh}" -Q cipher 2>/dev/null | grep -qx "$cipher"; then set -- -o "Ciphers=^$cipher" "$@"; fi
  SSH_ASKPASS="$folder/ask" SSH_ASKPASS_REQUIRE=force DISPLAY=none "${LINK_SSH:-ssh}" -F none -N -T -p "$LINK_PORT" \
    -o HostKeyAlias=chargehand -o UserKnownHostsFile="$folder/known_hosts" -o GlobalKnownHostsFile=none \
    -o StrictHostKeyChecking=yes -o PreferredAuthentications=password -o NumberOfPasswordPrompts=1 \
    -o ExitOnForwardFailure=yes -o ConnectTimeout=20 -o ServerAliveInterval=15 "$@" "$LINK_USER@$LINK_HOST" </dev/null &
else
  mkdir "$folder/.ssh"
  known_hosts "$LINK_HOST" >"$folder/.ssh/known_hosts"
  HOME="$folder" DROPBEAR_PASSWORD="$LINK_TICKET" dbclient -N -T -K 15 -o ExitOnForwardFailure=yes -p "$LINK_PORT" \
    "$@" "$LINK_USER@$LINK_HOST" </dev/null &
fi
client=$!
trap 'kill "$client" 2>/dev/null' TERM INT HUP
# If this script is killed, the key is removed when the client ends.
[ -z "$keys" ] || (while kill -0 "$client"; do sleep 1; done; remove_key) >/dev/null 2>&1 &
wait "$client"
