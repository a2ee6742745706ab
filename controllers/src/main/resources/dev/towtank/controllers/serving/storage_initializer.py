#!/usr/bin/python3
"""Brings a model from a bucket into a directory, before its server starts: storage_initializer.py s3://BUCKET/PREFIX DIRECTORY.

Keys, endpoint and the like are in the environment under KServe's names, or as one JSON document in STORAGE_CONFIG. Exit
code 1 and one line on stderr say what is wrong; no value of a key is in it.
"""
from __future__ import annotations

import hashlib
import hmac
import json
import os
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree as xml
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Iterator

MOST_BYTES = int(os.environ.get("MODEL_MOST_BYTES", str(8 << 30)))
MOST_OBJECTS = 10_000
ATTEMPTS = 3
NAMES = {"AWS_ENDPOINT_URL": "endpoint_url", "AWS_ACCESS_KEY_ID": "access_key_id",
         "AWS_SECRET_ACCESS_KEY": "secret_access_key", "AWS_DEFAULT_REGION": "region", "AWS_CA_BUNDLE": "ca_bundle",
         "S3_VERIFY_SSL": "verify_ssl", "awsAnonymousCredential": "anonymous"}


class Problem(Exception):
    """Why there is no model, in words."""


def setting(name: str, default: str = "") -> str:
    return os.environ.get(name) or default


def use_document() -> dict[str, Any]:
    """The JSON of a storage Secret, with what the InferenceService says about it, becomes variables."""
    document: dict[str, Any] = {}
    for variable in ("STORAGE_CONFIG", "STORAGE_OVERRIDE_CONFIG"):
        try:
            document |= json.loads(setting(variable, "{}"))
        except (ValueError, TypeError) as failure:
            raise Problem(f"{variable} is no JSON object: the key of the storage Secret has to hold one") from failure
    if document and document.get("type", "s3") != "s3":
        raise Problem(f"storage of type {document['type']!r} is not read: s3 is")
    for variable, key in NAMES.items():
        if key in document:
            os.environ[variable] = str(document[key])
    return document


class Bucket:
    """Reads objects, with signed requests where there are keys."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.region = setting("AWS_DEFAULT_REGION", "us-east-1")
        anonymous = setting("awsAnonymousCredential").lower() == "true"
        self.key = "" if anonymous else setting("AWS_ACCESS_KEY_ID")
        self.secret = setting("AWS_SECRET_ACCESS_KEY")
        endpoint = setting("AWS_ENDPOINT_URL") or setting("S3_ENDPOINT") or setting("AWS_S3_ENDPOINT")
        if not endpoint:
            endpoint = f"s3.{self.region}.amazonaws.com"
        if "://" not in endpoint:
            endpoint = ("http://" if setting("S3_USE_HTTPS", "1").lower() in ("0", "false") else "https://") + endpoint
        self.endpoint = endpoint.rstrip("/")
        self.host = urllib.parse.urlsplit(self.endpoint).netloc
        self.context = ssl.create_default_context(cafile=setting("AWS_CA_BUNDLE") or None)
        if setting("S3_VERIFY_SSL", "1").lower() in ("0", "false"):
            self.context.check_hostname = False
            self.context.verify_mode = ssl.CERT_NONE

    def get(self, key: str, query: dict[str, str]) -> Any:
        path = "/" + urllib.parse.quote(self.name, safe="") + ("/" + urllib.parse.quote(key, safe="/") if key else "")
        text = "&".join(f"{quoted(name)}={quoted(value)}" for name, value in sorted(query.items()))
        for attempt in range(ATTEMPTS):
            request = urllib.request.Request(self.endpoint + path + ("?" + text if text else ""),
                                             headers=self.signed(path, text) if self.key else {})
            try:
                return urllib.request.urlopen(request, timeout=30, context=self.context)
            except urllib.error.HTTPError as failure:
                if failure.code < 500 or attempt == ATTEMPTS - 1:
                    raise Problem(f"{self.endpoint} answers {failure.code} {said(failure)} for bucket {self.name}"
                                  f"{' and ' + key if key else ''}") from failure
            except OSError as failure:
                if attempt == ATTEMPTS - 1:
                    reason = getattr(failure, "reason", failure)
                    raise Problem(f"{self.endpoint} cannot be reached: {reason}") from failure
            time.sleep(0.5 * 2 ** attempt)
        raise AssertionError

    def signed(self, path: str, query: str) -> dict[str, str]:
        now = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        scope = f"{now[:8]}/{self.region}/s3/aws4_request"
        empty = hashlib.sha256(b"").hexdigest()
        headers = f"host:{self.host}\nx-amz-content-sha256:{empty}\nx-amz-date:{now}\n"
        names = "host;x-amz-content-sha256;x-amz-date"
        canonical = f"GET\n{path}\n{query}\n{headers}\n{names}\n{empty}"
        to_sign = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
        key = ("AWS4" + self.secret).encode()
        for part in (now[:8], self.region, "s3", "aws4_request", to_sign):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        return {"x-amz-date": now, "x-amz-content-sha256": empty,
                "Authorization": f"AWS4-HMAC-SHA256 Credential={self.key}/{scope},SignedHeaders={names},Signature={key.hex()}"}

    def objects(self, prefix: str) -> Iterator[tuple[str, int]]:
        query = {"list-type": "2", "prefix": prefix}
        while True:
            with self.get("", query) as answer:
                page = xml.fromstring(answer.read(32 << 20))
            for entry in page.iterfind("{*}Contents"):
                yield entry.findtext("{*}Key", ""), int(entry.findtext("{*}Size", "0"))
            more = page.findtext("{*}NextContinuationToken")
            if not more:
                return
            query["continuation-token"] = more


def quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="-_.~")


def said(failure: urllib.error.HTTPError) -> str:
    try:
        return xml.fromstring(failure.read(1 << 16)).findtext("{*}Code") or failure.reason
    except (xml.ParseError, OSError):
        return str(failure.reason)


def place_of(key: str, prefix: str, directory: Path) -> Path:
    """Below the directory, whatever the key is: keys are no paths."""
    relative = key.rsplit("/", 1)[-1] if key == prefix else key[len(prefix):].lstrip("/")
    parts = relative.split("/")
    if any(part in ("", ".", "..") or "\0" in part for part in parts):
        raise Problem(f"the key {key!r} cannot be the name of a file")
    return directory.joinpath(*parts)


def download(source: str, directory: Path) -> int:
    document = use_document()
    scheme, _, rest = source.partition("://")
    if scheme == "s3":
        name, _, prefix = rest.partition("/")
    else:  # only the path is in the address, and the bucket in the document
        name, prefix = str(document.get("bucket", "")), rest
    if not name:
        raise Problem("no bucket is named: neither in the address nor in the storage Secret")
    prefix = prefix.rstrip("/")
    bucket, count, total = Bucket(name), 0, 0
    for key, size in bucket.objects(prefix):
        if prefix and key != prefix and not key.startswith(prefix + "/") or key.endswith("/") or size == 0:
            continue
        count, total = count + 1, total + size
        if total > MOST_BYTES or count > MOST_OBJECTS:
            raise Problem(f"the model is larger than {MOST_BYTES} bytes or {MOST_OBJECTS} files, which is all that is fetched")
        place = place_of(key, prefix, directory)
        place.parent.mkdir(parents=True, exist_ok=True)
        with bucket.get(key, {}) as answer, open(place, "wb") as file:
            while part := answer.read(1 << 20):
                file.write(part)
        if place.stat().st_size != size:
            raise Problem(f"{key} came with {place.stat().st_size} of {size} bytes")
    if count == 0:
        raise Problem(f"Failed to fetch model. No model found in s3://{name}/{prefix}.")
    print(f"fetched {count} files of {total} bytes from s3://{name}/{prefix}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(download(sys.argv[1], Path(sys.argv[2])))
    except Problem as problem:
        sys.exit(f"error: {problem}")
    except (OSError, ValueError, xml.ParseError) as problem:
        sys.exit(f"error: {type(problem).__name__}: {problem}")
