import type { ForeignSystem, Note } from './foreign-system.ts'

/** Notes on both wallets, which use the same packages of oid4vc-ts. */
const ofBothWallets: readonly Note[] = [
  {
    checks: ['W09', 'W10', 'W80'],
    cause: 'defect',
    text: 'The packages look up the offered credential in the metadata only after the token request, and ignore the suites of draft 11.',
  },
  {
    checks: ['W08'],
    cause: 'defect',
    text: 'For the same reason a wallet redeems the code although the metadata has no credential at all.',
  },
  {
    checks: ['W111'],
    cause: 'defect',
    text: 'The packages check that access_token is a string, but not that it has the form of a token: RFC 6750, 2.1.',
  },
  {
    checks: ['W60', 'W61', 'W62', 'W63'],
    cause: 'not implemented',
    text: 'The packages call the fetch function that they receive; the built-in fetch follows redirects and has no size limit.',
  },
]

/** Notes on relying parties whose packages know neither RFC 9207 nor repeated parameters. */
const ofRelyingParties: readonly Note[] = [
  {
    checks: ['R13'],
    cause: 'not implemented',
    text: 'iss of the redirect is ignored. With a single provider, no mix-up is possible: RFC 9700, 2.1.',
  },
  {
    checks: ['R17'],
    cause: 'not implemented',
    text: 'If a parameter occurs twice, the framework returns one of its values, and no code looks for the other.',
  },
]

/** Installs requirements.txt in a virtual environment. */
const pipInstall = [
  'python3 -m venv .cache/venv',
  '.cache/venv/bin/pip -q install --disable-pip-version-check -r requirements.txt',
]

/** The recorded systems. */
export const foreignSystems: readonly ForeignSystem[] = [
  {
    name: 'oid4vc-ts-wallet',
    language: 'TypeScript',
    plan: 'wallet',
    targetFile: 'target-over-http.yaml',
    packages: ['@openid4vc/openid4vci', '@openid4vc/openid4vp', '@openid4vc/oauth2'],
    notes: [
      ...ofBothWallets,
      {
        checks: ['W15'],
        cause: 'dialect',
        text: 'The packages support the transaction_id of OpenID4VCI draft 12 and later, but not the acceptance_token of draft 11.',
      },
      {
        checks: ['W32'],
        cause: 'dialect',
        text: 'As in draft 22 and later, a client_id that is an https URL means OpenID Federation and requires a signed request; the profile accepts any identifier.',
      },
      {
        checks: ['W41'],
        cause: 'defect',
        text: 'OpenID4VP 1.0, 8.2, requires wallets to reject such a request with invalid_request.',
      },
      {
        checks: ['W13', 'W91'],
        cause: 'not implemented',
        text: 'Retries and requests for further credentials are up to the application.',
      },
      {
        checks: ['W73', 'W109'],
        cause: 'not implemented',
        text: 'The packages evaluate queries with dcql, which rejects those of the profile; the glue checks only types and paths.',
      },
      {
        checks: [
          ...['W17', 'W18', 'W19', 'W20', 'W21', 'W22', 'W23', 'W24', 'W25'],
          ...['W64', 'W65', 'W66', 'W67', 'W68', 'W70', 'W94', 'W95', 'W96', 'W97', 'W98', 'W99'],
          ...['W100', 'W101', 'W102', 'W103', 'W112'],
          ...['W115', 'W116', 'W117', 'W118', 'W119', 'W129', 'W131', 'W148'],
          ...['W151', 'W153', 'W154', 'W155', 'W159'],
        ],
        cause: 'not implemented',
        text: 'Neither the packages nor the glue verify received credentials.',
      },
      {
        checks: ['W105', 'W106', 'W107'],
        cause: 'not implemented',
        text: 'The application verifies the signature of a request: it accepts any key of the DID document, ignores crit, and decodes bytes that are not UTF-8.',
      },
      {
        checks: ['W123'],
        cause: 'not implemented',
        text: 'The application verifies the signature with did-jwt, which does not support a JWT without iss. OpenID4VP 1.0, 5, says that wallets ignore iss.',
      },
      {
        checks: ['W128'],
        cause: 'defect',
        text: 'The packages allow no difference between clocks: a request with nbf 30 seconds ahead is rejected. RFC 7519, 4.1.5, permits some leeway.',
      },
      {
        checks: ['W136'],
        cause: 'not implemented',
        text: 'As with W60, redirects are followed by the built-in fetch.',
      },
      {
        checks: ['W139'],
        cause: 'not implemented',
        text: 'The packages return redirect_uri to the application, which must check its scheme.',
      },
      {
        checks: ['W140'],
        cause: 'defect',
        text: 'The packages take the last of several client_id parameters. RFC 6749, 3.1, forbids repeated parameters.',
      },
      {
        checks: ['W142'],
        cause: 'defect',
        text: 'Nothing compares aud with https://self-issued.me/v2 or the wallet: OpenID4VP 1.0, 5.8, and RFC 7519, 4.1.3.',
      },
      {
        checks: ['W143'],
        cause: 'not implemented',
        text: 'As with W73, the glue does not validate queries.',
      },
      {
        checks: ['W145'],
        cause: 'defect',
        text: 'The code of an offer with special characters is changed on its way to the token endpoint.',
      },
      {
        checks: ['W161'],
        cause: 'not implemented',
        text: 'The packages return transaction_data to the application, which must support it or reject the request.',
      },
      {
        checks: ['W162', 'W164'],
        cause: 'not implemented',
        text: 'As with W73, the glue checks only types and paths: neither values nor the expiry of a credential.',
      },
      {
        checks: ['W108'],
        cause: 'defect',
        text: 'The packages accept an empty nonce, with which a presentation could be replayed.',
      },
    ],
  },
  {
    name: 'oid4vc-ts-issuer',
    language: 'TypeScript',
    plan: 'issuer',
    packages: ['@openid4vc/openid4vci', '@openid4vc/oauth2', 'did-jwt', 'key-did-resolver'],
    notes: [
      {
        checks: ['I19'],
        cause: 'not implemented',
        text: 'The packages compare the PIN but do not count attempts.',
      },
      {
        checks: ['I31', 'I32', 'I42', 'I97', 'I98', 'I103', 'I104', 'I105', 'I106'],
        cause: 'not implemented',
        text: 'The packages check typ, aud and nonce of a proof. The application verifies the signature with did-jwt, which accepts any algorithm, a kid without or with another fragment, crit, duplicate members and private members of a key; iss and iat are not checked.',
      },
      {
        checks: ['I95'],
        cause: 'not implemented',
        text: 'The packages accept a list as aud if it contains the issuer.',
      },
      {
        checks: ['I115'],
        cause: 'not implemented',
        text: 'As with I19, nothing counts attempts.',
      },
      {
        checks: ['I118', 'I119'],
        cause: 'defect',
        text: 'The packages take the second word of the header as the token, and compare the scheme with Bearer letter by letter.',
      },
      {
        checks: ['I162'],
        cause: 'not implemented',
        text: 'The application parses the body with JSON.parse, which takes the last of several members.',
      },
      {
        checks: ['I144'],
        cause: 'dialect',
        text: 'The packages reject a tx_code that was not expected, even if it is empty. RFC 6749, 3.2, treats parameters without a value as omitted.',
      },
      {
        checks: ['I146', 'I147'],
        cause: 'not implemented',
        text: 'The headers Cache-Control and Access-Control-Allow-Origin are up to the application.',
      },
      {
        checks: ['I38'],
        cause: 'dialect',
        text: 'The packages answer a wrong c_nonce with invalid_proof, as the drafts do. OpenID4VCI 1.0, 8.3.1.2, has invalid_nonce for it.',
      },
      {
        checks: ['I45'],
        cause: 'dialect',
        text: 'Later revisions have a nonce endpoint instead of a c_nonce in the error response.',
      },
    ],
  },
  {
    name: 'oid4vc-ts-verifier',
    language: 'TypeScript',
    plan: 'verifier',
    packages: ['@openid4vc/openid4vp', '@openid4vc/oauth2', 'did-jwt', 'key-did-resolver'],
    notes: [
      {
        checks: [
          ...['V06', 'V10', 'V16', 'V17', 'V18', 'V52', 'V67'],
          ...['V68', 'V69', 'V70', 'V71', 'V72', 'V94', 'V95', 'V116'],
        ],
        cause: 'not implemented',
        text: 'The packages do not verify presentations; did-jwt verifies the signature, and times and audience only if present.',
      },
      {
        checks: ['V09', 'V76'],
        cause: 'not implemented',
        text: 'did-jwt accepts a token until five minutes after its exp, and the application does not shorten this tolerance.',
      },
      {
        checks: ['V15'],
        cause: 'dialect',
        text: 'did-jwt also verifies ES256K-R, which is not a registered algorithm of JOSE, and the application does not restrict alg.',
      },
      {
        checks: ['V19', 'V53', 'V73', 'V89'],
        cause: 'dialect',
        text: 'OpenID4VP 1.0 has no presentation_submission with a dcql_query, so the packages ignore it.',
      },
      {
        checks: [
          ...['V21', 'V23', 'V24', 'V25', 'V26', 'V27', 'V29'],
          ...[
            'V31',
            'V77',
            'V78',
            'V85',
            'V12',
            'V22',
            'V106',
            'V108',
            'V109',
            'V112',
            'V113',
            'V144',
          ],
          ...['V114', 'V115', 'V119', 'V120', 'V146'],
        ],
        cause: 'not implemented',
        text: 'The packages do not evaluate credentials; did-jwt verifies the signature with the current keys of the issuer.',
      },
      {
        checks: [
          ...['V35', 'V36', 'V37', 'V38', 'V39', 'V40', 'V41', 'V42', 'V44', 'V45', 'V46'],
          ...['V75', 'V79', 'V80', 'V87', 'V98', 'V99', 'V100', 'V101', 'V118'],
        ],
        cause: 'not implemented',
        text: 'None of the packages supports trusted issuers registries.',
      },
      {
        checks: ['V43', 'V81', 'V82', 'V117'],
        cause: 'not implemented',
        text: 'None of the packages reads status lists.',
      },
      {
        checks: ['V84'],
        cause: 'dialect',
        text: 'OpenID4VP 1.0, 8.2, and OAuth 2.0 require the response to contain the state of the request; the profile does not define state.',
      },
      {
        checks: ['V90'],
        cause: 'defect',
        text: 'The packages set aud of a signed request to its own address; OpenID4VP 1.0, 5.8, requires https://self-issued.me/v2 or the issuer of the wallet.',
      },
      {
        checks: ['V127'],
        cause: 'not implemented',
        text: 'The application compares the optional sub with the holder, and not credentialSubject.id.',
      },
      {
        checks: ['V135'],
        cause: 'not implemented',
        text: 'How long a request is served is up to the application.',
      },
      {
        checks: ['V130'],
        cause: 'not implemented',
        text: 'The header Cache-Control is up to the application.',
      },
      {
        checks: ['V91'],
        cause: 'dialect',
        text: 'OpenID4VP 1.0 has vp_formats_supported in client_metadata instead.',
      },
    ],
  },
  {
    name: 'credo-wallet',
    language: 'TypeScript',
    plan: 'wallet',
    packages: ['@credo-ts/core', '@credo-ts/openid4vc'],
    hasOwnPackages: true,
    notes: [
      ...ofBothWallets,
      {
        checks: ['W01', 'W03', 'W23'],
        cause: 'dialect',
        text: 'In Credo, as in OpenID4VCI 1.0, A.1.1, jwt_vc_json is a credential of data model 1.1. Credo receives the credential and rejects its @context of 2.0, so checks of later steps are inconclusive.',
      },
    ],
  },
  {
    name: 'oidc-provider',
    language: 'JavaScript',
    plan: 'idp',
    packages: ['oidc-provider'],
    notes: [
      {
        checks: ['O01'],
        cause: 'dialect',
        text: 'The library derives its list of grant types from its features and has no setting for it; our own IDP serves the discovery document itself.',
      },
      {
        checks: ['O26', 'O27', 'O85'],
        cause: 'dialect',
        text: 'OpenID Connect defines none of these addresses.',
      },
      {
        checks: ['O58'],
        cause: 'not implemented',
        text: 'OpenID Connect Core 1.0, 3.1.2.1, requires POST as well; the library has it as a feature that is off by default.',
      },
      {
        checks: ['O63'],
        cause: 'not implemented',
        text: 'The form for development has no such header; RFC 9700, 4.16, requires protection.',
      },
      {
        checks: ['O68'],
        cause: 'defect',
        text: 'If Accept prefers HTML, an error of the token endpoint is a page. RFC 6749, 5.2, requires JSON.',
      },
    ],
  },
  {
    name: 'keycloak',
    language: 'Java',
    plan: 'idp',
    packages: ['Keycloak'],
    program: {
      needs: ['java', 'mvn'],
      pin: ['pom.xml', '<keycloak.version>'],
      install: [
        'mvn -q -B process-resources',
        '.cache/keycloak/bin/kc.sh build --db=dev-mem',
        'mkdir -p .cache/keycloak/data/import',
        'cp realm.json .cache/keycloak/data/import',
      ],
    },
    notes: [
      {
        checks: ['O01'],
        cause: 'dialect',
        text: 'A realm announces every algorithm that the server supports; each client has its own. OpenID Connect Discovery 1.0, 3, requires RS256 and allows others; the profile has only RS256.',
      },
      {
        checks: ['O26', 'O27', 'O85'],
        cause: 'dialect',
        text: 'OpenID Connect defines none of these addresses. Keycloak serves health and metrics at a separate port.',
      },
      {
        checks: ['O08', 'O20', 'O65', 'O66'],
        cause: 'defect',
        text: 'Keycloak returns unauthorized_client if client authentication fails. RFC 6749, 5.2, defines invalid_client for that.',
      },
      {
        checks: ['O23'],
        cause: 'defect',
        text: 'Keycloak rejects the grant with 401 unauthorized_client. RFC 6749, 5.2, requires 400, and has 401 only for invalid_client.',
      },
      {
        checks: ['O31'],
        cause: 'defect',
        text: 'A form with an invalid percent-encoding and a NUL byte causes a 500 at the authorization, token and userinfo endpoints.',
      },
      {
        checks: ['O59'],
        cause: 'defect',
        text: 'An empty max_age causes a 400. RFC 6749, 3.1, treats a parameter without a value as omitted. Unknown scopes are rejected as well, for which RFC 6749, 4.1.2.1, has invalid_scope.',
      },
      {
        checks: ['O62'],
        cause: 'dialect',
        text: 'Keycloak sets SameSite=None, because its pages may be part of other sites, and lets its script for session status read a hash of the session.',
      },
      {
        checks: ['O64'],
        cause: 'dialect',
        text: 'userinfo allows every origin, with credentials; it accepts only access tokens, and no cookies. RFC 9700, 2.6, rules this out only for the authorization endpoint.',
      },
      {
        checks: ['O68'],
        cause: 'defect',
        text: 'The 401 has no WWW-Authenticate, which RFC 6749, 5.2, requires after a Basic header.',
      },
    ],
  },
  {
    name: 'spring-authorization-server',
    language: 'Java',
    plan: 'idp',
    packages: ['Spring Authorization Server'],
    program: {
      needs: ['java', 'mvn'],
      pin: ['pom.xml', '<spring-authorization-server.version>'],
      install: ['mvn -q -B package'],
    },
    notes: [
      {
        checks: ['O01'],
        cause: 'dialect',
        text: 'The document announces every grant that the server supports; the clients allow only authorization_code and refresh_token.',
      },
      {
        checks: ['O20'],
        cause: 'defect',
        text: 'The 401 has no JSON object with error, which RFC 6749, 5.2, requires.',
      },
      {
        checks: ['O26', 'O27', 'O85'],
        cause: 'dialect',
        text: 'OpenID Connect defines none of these addresses; every unknown address leads to the login.',
      },
      {
        checks: ['O59'],
        cause: 'dialect',
        text: 'OpenID Connect Core 1.0, 3.1.2.1, recommends to ignore unknown scopes; RFC 6749, 4.1.2.1, has invalid_scope for them.',
      },
      {
        checks: ['O62'],
        cause: 'not implemented',
        text: 'The session cookie of the servlet container has no SameSite by default; browsers then treat it as Lax.',
      },
      {
        checks: ['O68'],
        cause: 'defect',
        text: 'The 401 has no WWW-Authenticate, which RFC 6749, 5.2, requires after a Basic header.',
      },
    ],
  },
  {
    name: 'zitadel-oidc',
    language: 'Go',
    plan: 'idp',
    packages: ['zitadel/oidc'],
    program: {
      needs: ['go'],
      pin: ['go.mod', 'github.com/zitadel/oidc/v3 v'],
      install: ['go build -o .cache/provider .'],
    },
    notes: [
      {
        checks: ['O01'],
        cause: 'dialect',
        text: 'The library announces its response types and grants, and has no setting for the list of response types.',
      },
      {
        checks: ['O26', 'O27', 'O85'],
        cause: 'dialect',
        text: 'OpenID Connect defines none of these addresses. The library serves its health at other addresses.',
      },
      {
        checks: ['O63'],
        cause: 'not implemented',
        text: 'The form, which the repository adds, has no such header. RFC 9700, 4.16, requires protection.',
      },
      {
        checks: ['O64'],
        cause: 'defect',
        text: 'RFC 9700, 2.6, rules out CORS at the authorization endpoint.',
      },
    ],
  },
  {
    name: 'django-oauth-toolkit',
    language: 'Python',
    plan: 'idp',
    packages: ['Django OAuth Toolkit'],
    program: {
      needs: ['python3'],
      pin: ['requirements.txt', 'django-oauth-toolkit=='],
      install: pipInstall,
    },
    notes: [
      {
        checks: ['O01'],
        cause: 'dialect',
        text: 'The document has no grant_types_supported, which is optional in OpenID Connect Discovery 1.0, 3, and announces HS256 as well; the profile requires the list, and only RS256.',
      },
      {
        checks: ['O23'],
        cause: 'defect',
        text: 'A grant that the client must not use is rejected with invalid_grant. RFC 6749, 5.2, defines unauthorized_client for that.',
      },
      {
        checks: ['O26', 'O27', 'O85'],
        cause: 'dialect',
        text: 'OpenID Connect defines none of these addresses.',
      },
      {
        checks: ['O25'],
        cause: 'defect',
        text: 'A request without a token gets an error code, which RFC 6750, 3.1, advises against.',
      },
      {
        checks: ['O58'],
        cause: 'defect',
        text: 'OpenID Connect Core 1.0, 3.1.2.1, requires POST as well; the view requires the token of a Django form.',
      },
      {
        checks: ['O62'],
        cause: 'dialect',
        text: 'Django lets scripts read the cookie against forged forms, which is not a session.',
      },
      {
        checks: ['O66'],
        cause: 'defect',
        text: 'If client_id of the body is not that of the Basic header, the error is server_error, which RFC 6749, 5.2, does not define.',
      },
      {
        checks: ['O68'],
        cause: 'defect',
        text: 'The 401 has WWW-Authenticate: Bearer, but RFC 6749, 5.2, requires the scheme that the client used, Basic.',
      },
      {
        checks: ['O82'],
        cause: 'defect',
        text: 'The scheme of the Authorization header is compared with its case; RFC 9110, 11.1, ignores it.',
      },
    ],
  },
  {
    name: 'openid-client-relying-party',
    language: 'TypeScript',
    plan: 'relying-party',
    packages: ['openid-client'],
    notes: [
      {
        checks: ['R23'],
        cause: 'dialect',
        text: 'In this flow the package relies on the TLS connection to the token endpoint, which OpenID Connect Core 1.0, 3.1.3.7, permits. With enableNonRepudiationChecks it verifies the signature too.',
      },
      {
        checks: ['R47'],
        cause: 'not implemented',
        text: 'The application does not catch the errors of the package.',
      },
    ],
  },
  {
    name: 'authlib-relying-party',
    language: 'Python',
    plan: 'relying-party',
    packages: ['Authlib'],
    program: {
      needs: ['python3'],
      pin: ['requirements.txt', 'Authlib=='],
      install: pipInstall,
    },
    notes: [
      ...ofRelyingParties,
      {
        checks: ['R05'],
        cause: 'not implemented',
        text: 'PKCE is an option that the documented application does not set; nonce prevents the same attack.',
      },
      {
        checks: ['R31'],
        cause: 'defect',
        text: 'An empty string or list as aud is not compared with the client.',
      },
      {
        checks: ['R40'],
        cause: 'defect',
        text: 'The package reads the body of a 4xx as if it were a success: RFC 6749, 5.2.',
      },
      {
        checks: ['R41'],
        cause: 'defect',
        text: 'The package logs a user in without access_token, which RFC 6749, 5.1, requires.',
      },
      {
        checks: ['R42'],
        cause: 'defect',
        text: 'The package accepts any token_type. RFC 6749, 7.1, forbids using a token of an unknown type.',
      },
      {
        checks: ['R43'],
        cause: 'not implemented',
        text: 'The HTTP client, requests, follows redirects, and repeats the form after a 307 and a 308.',
      },
      {
        checks: ['R47'],
        cause: 'not implemented',
        text: 'The documented application does not catch the errors of the package.',
      },
    ],
  },
  {
    name: 'mozilla-django-oidc',
    language: 'Python',
    plan: 'relying-party',
    packages: ['mozilla-django-oidc'],
    program: {
      needs: ['python3'],
      pin: ['requirements.txt', 'mozilla-django-oidc=='],
      install: pipInstall,
    },
    notes: [
      ...ofRelyingParties,
      {
        checks: ['R05'],
        cause: 'not implemented',
        text: 'PKCE is a setting that is off by default; nonce prevents the same attack.',
      },
      {
        checks: ['R30', 'R31'],
        cause: 'defect',
        text: 'The package compares neither iss nor aud, which OpenID Connect Core 1.0, 3.1.3.7, requires.',
      },
      {
        checks: ['R32'],
        cause: 'defect',
        text: 'The package does not require exp or iat: OpenID Connect Core 1.0, 2.',
      },
      {
        checks: ['R34'],
        cause: 'defect',
        text: 'The package does not read sub: it identifies users by the email of userinfo.',
      },
      {
        checks: ['R42'],
        cause: 'defect',
        text: 'The package accepts any token_type. RFC 6749, 7.1, forbids using a token of an unknown type.',
      },
      {
        checks: ['R43'],
        cause: 'not implemented',
        text: 'The HTTP client, requests, follows redirects, and repeats the form after a 307 and a 308.',
      },
      {
        checks: ['R44'],
        cause: 'defect',
        text: 'The package does not compare sub of userinfo, which OpenID Connect Core 1.0, 5.3.2, requires.',
      },
      {
        checks: ['R47'],
        cause: 'defect',
        text: 'The view does not catch the error of a failed request to the provider.',
      },
    ],
  },
  {
    name: 'spring-security-relying-party',
    language: 'Java',
    plan: 'relying-party',
    packages: ['Spring Security'],
    program: {
      needs: ['java', 'mvn'],
      pin: ['pom.xml', '<spring-security.version>'],
      install: ['mvn -q -B package'],
    },
    notes: [
      ...ofRelyingParties,
      {
        checks: ['R05'],
        cause: 'not implemented',
        text: 'Spring Security uses PKCE for clients with a secret only if the application enables it; nonce prevents the same attack.',
      },
      {
        checks: ['R15'],
        cause: 'defect',
        text: 'A redirect with a code counts as a success, even if it has an error: RFC 6749, 4.1.2.1.',
      },
    ],
  },
  {
    name: 'go-oidc-relying-party',
    language: 'Go',
    plan: 'relying-party',
    packages: ['go-oidc'],
    program: {
      needs: ['go'],
      pin: ['go.mod', 'github.com/coreos/go-oidc/v3 v'],
      install: ['go build -o .cache/relying-party .'],
    },
    notes: [
      ...ofRelyingParties,
      {
        checks: ['R05'],
        cause: 'not implemented',
        text: 'The example does not use PKCE, which x/oauth2 has; nonce prevents the same attack.',
      },
      {
        checks: ['R12', 'R14', 'R15'],
        cause: 'not implemented',
        text: 'The example neither reads error nor deletes its cookies.',
      },
      {
        checks: ['R31'],
        cause: 'not implemented',
        text: 'The package accepts further audiences, and leaves azp to the application.',
      },
      {
        checks: ['R32', 'R34'],
        cause: 'defect',
        text: 'The package requires neither iat nor sub: OpenID Connect Core 1.0, 2.',
      },
      {
        checks: ['R41'],
        cause: 'defect',
        text: 'x/oauth2 also accepts a form-encoded token response, which RFC 6749, 5.1, does not allow.',
      },
      {
        checks: ['R42'],
        cause: 'defect',
        text: 'x/oauth2 accepts any token_type. RFC 6749, 7.1, forbids using a token of an unknown type.',
      },
      {
        checks: ['R43'],
        cause: 'not implemented',
        text: 'The HTTP client of Go follows redirects, and repeats the form after a 307 and a 308.',
      },
      {
        checks: ['R47'],
        cause: 'not implemented',
        text: 'The example answers an error of the provider with HTTP 500.',
      },
    ],
  },
]
