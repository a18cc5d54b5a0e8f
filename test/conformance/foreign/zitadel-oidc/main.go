// zitadel/oidc with the storage of its example server: `provider --port N --client ID,SECRET,REDIRECT_URI`,
// the last one for each client.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"strings"

	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// Glue: a form to log in, which is never submitted.
const form = `<!doctype html><title>Login</title><form method="post">
<input name="username"><input name="password" type="password"><button>Log in</button></form>`

func main() {
	port := flag.String("port", "0", "port on the loopback interface")
	flag.Func("client", "id, secret and redirect URI of a client", func(text string) error {
		parts := strings.Split(text, ",")
		storage.RegisterClients(storage.WebClient(parts[0], parts[1], parts[2]))
		return nil
	})
	flag.Parse()
	slog.SetLogLoggerLevel(slog.LevelError)

	issuer := "http://127.0.0.1:" + *port
	config := &op.Config{
		CryptoKey:             sha256.Sum256([]byte("test")),
		CryptoKeyId:           "key",
		CodeMethodS256:        true,
		AuthMethodPost:        true,
		GrantTypeRefreshToken: true,
		SupportedScopes:       []string{"openid", "profile", "email", "openid-vp-lear"},
	}
	store := storage.NewStorage(storage.NewUserStore(issuer))
	provider, err := op.NewProvider(config, store, op.StaticIssuer(issuer), op.WithAllowInsecure())
	if err != nil {
		log.Fatal(err)
	}
	routes := http.NewServeMux()
	routes.HandleFunc("/login/username", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, form)
	})
	routes.Handle("/", provider)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+*port, routes))
}
