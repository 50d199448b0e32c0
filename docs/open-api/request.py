"""Sends a signed request to the open API, with the standard library only.

Usage: CHARGEHAND_URL=https://... APP_ID=app_... APP_SECRET=chs_... python3 request.py METHOD PATH[?QUERY] [BODY]
"""

import base64
import hashlib
import hmac
import os
import secrets
import sys
import time
import urllib.error
import urllib.request


def signed_headers(app_id, app_secret, method, target, body=b""):
    path, _, query = target.partition("?")
    headers = {}
    lines = [("@method", method), ("@path", path), ("@query", "?" + query)]
    if body:
        digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
        headers["Content-Type"] = "application/json"
        headers["Content-Digest"] = f"sha-256=:{digest}:"
        lines.append(("content-digest", headers["Content-Digest"]))
    components = " ".join(f'"{name}"' for name, _ in lines)
    params = (
        f"({components});created={int(time.time())};"
        f'nonce="{secrets.token_hex(16)}";keyid="{app_id}";alg="hmac-sha256"'
    )
    lines.append(("@signature-params", params))
    base = "\n".join(f'"{name}": {value}' for name, value in lines)
    signature = hmac.new(app_secret.encode(), base.encode(), hashlib.sha256).digest()
    headers["Signature-Input"] = f"sig={params}"
    headers["Signature"] = f"sig=:{base64.b64encode(signature).decode()}:"
    return headers


if __name__ == "__main__":
    method, target = sys.argv[1:3]
    body = sys.argv[3].encode() if len(sys.argv) > 3 else b""
    headers = signed_headers(os.environ["APP_ID"], os.environ["APP_SECRET"], method, target, body)
    request = urllib.request.Request(
        os.environ["CHARGEHAND_URL"] + target, data=body or None, headers=headers, method=method
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            print(answer.read().decode())
    except urllib.error.HTTPError as error:
        print(error.read().decode())
        sys.exit(1)
