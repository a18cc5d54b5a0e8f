"""Flask with Authlib, written like the OpenID Connect login of Authlib's documentation:
`python main.py --port N`, with the provider and the client in the environment."""

import logging
import os
from argparse import ArgumentParser

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session, url_for

parser = ArgumentParser()
parser.add_argument("--port", type=int, default=0)
arguments = parser.parse_args()
logging.getLogger("werkzeug").setLevel(logging.ERROR)

app = Flask(__name__)
app.secret_key = "a secret for the session cookies of tests"
oauth = OAuth(app)
oauth.register(
    "testbed",
    client_id=os.environ["TESTBED_CLIENT_ID"],
    client_secret=os.environ["TESTBED_CLIENT_SECRET"],
    server_metadata_url=os.environ["TESTBED_ISSUER"] + "/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email"},
)


@app.get("/")
def show_user():
    return session.get("user") or '<!doctype html><title>Home</title><a href="/login">Log in</a>'


@app.get("/login")
def login():
    return oauth.testbed.authorize_redirect(url_for("complete_login", _external=True))


@app.get("/auth")
def complete_login():
    session["user"] = oauth.testbed.authorize_access_token()["userinfo"]
    return redirect("/")


app.run(port=arguments.port)
