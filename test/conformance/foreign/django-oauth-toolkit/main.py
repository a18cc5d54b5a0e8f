"""Django with Django OAuth Toolkit: `python main.py --port N --client ID SECRET REDIRECT_URI`, the last
one for each client. Its database is in memory."""

import argparse
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.urls import include, path

parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int, default=0)
parser.add_argument("--client", nargs=3, action="append", default=[])
arguments = parser.parse_args()

key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
# Glue: the form that Django's login view shows, and the scopes of the profile.
form = '<!doctype html><title>Login</title><form method="post">{% csrf_token %}{{ form }}</form>'
settings.configure(
    SECRET_KEY="a secret for sessions that are never created",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {
                "loaders": [
                    ("django.template.loaders.locmem.Loader", {"registration/login.html": form}),
                    "django.template.loaders.app_directories.Loader",
                ]
            },
        }
    ],
    USE_TZ=True,
    LOGGING_CONFIG=None,
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": key.private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
        ).decode(),
        "OIDC_RESPONSE_TYPES_SUPPORTED": ["code"],
        "PKCE_REQUIRED": False,
        "SCOPES": {name: name for name in ("openid", "profile", "email", "openid-vp-lear")},
    },
)
django.setup()
urlpatterns = [
    path("", include("oauth2_provider.urls", namespace="oauth2_provider")),
    path("accounts/", include("django.contrib.auth.urls")),
]
call_command("migrate", verbosity=0)

from oauth2_provider.models import Application  # noqa: E402: it needs the settings

for client_id, client_secret, redirect_uri in arguments.client:
    Application.objects.create(
        client_id=client_id,
        client_secret=client_secret,
        redirect_uris=redirect_uri,
        client_type=Application.CLIENT_CONFIDENTIAL,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
        algorithm=Application.RS256_ALGORITHM,
    )


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *_):
        pass


make_server(
    "127.0.0.1", arguments.port, get_wsgi_application(), handler_class=QuietHandler
).serve_forever()
