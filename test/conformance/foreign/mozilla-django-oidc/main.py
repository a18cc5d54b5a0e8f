"""Django with mozilla-django-oidc as its documentation installs it: `python main.py --port N`, with the
provider and the client in the environment. Its database is in memory."""

import os
from argparse import ArgumentParser
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
import requests
from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import include, path

parser = ArgumentParser()
parser.add_argument("--port", type=int, default=0)
arguments = parser.parse_args()

# Glue: the package has a setting for each endpoint, and does not read the discovery document.
discovery = requests.get(os.environ["TESTBED_ISSUER"] + "/.well-known/openid-configuration").json()
settings.configure(
    SECRET_KEY="a secret for the sessions of tests",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=[
        "django.contrib.auth",
        "mozilla_django_oidc",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    AUTHENTICATION_BACKENDS=["mozilla_django_oidc.auth.OIDCAuthenticationBackend"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    USE_TZ=True,
    LOGGING_CONFIG=None,
    OIDC_RP_CLIENT_ID=os.environ["TESTBED_CLIENT_ID"],
    OIDC_RP_CLIENT_SECRET=os.environ["TESTBED_CLIENT_SECRET"],
    OIDC_RP_SIGN_ALGO="RS256",
    OIDC_OP_AUTHORIZATION_ENDPOINT=discovery["authorization_endpoint"],
    OIDC_OP_TOKEN_ENDPOINT=discovery["token_endpoint"],
    OIDC_OP_USER_ENDPOINT=discovery["userinfo_endpoint"],
    OIDC_OP_JWKS_ENDPOINT=discovery["jwks_uri"],
    LOGIN_REDIRECT_URL="/",
    LOGOUT_REDIRECT_URL="/",
)
django.setup()
call_command("migrate", verbosity=0)


def show_user(request):
    if request.user.is_authenticated:
        return HttpResponse(request.user.email, content_type="text/plain")
    return HttpResponse('<!doctype html><title>Home</title><a href="/oidc/authenticate/">Log in</a>')


urlpatterns = [path("", show_user), path("oidc/", include("mozilla_django_oidc.urls"))]


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *_):
        pass


make_server(
    "127.0.0.1", arguments.port, get_wsgi_application(), handler_class=QuietHandler
).serve_forever()
