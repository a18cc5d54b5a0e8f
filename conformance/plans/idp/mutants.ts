import type { MutantTable } from '../../kit/mutant.ts'

/** Endpoints of oidc-provider that our IDP does not have; `isMutant` announces them. */
const furtherEndpoints = [
  {
    file: 'services/idp/domain/provider-routes.ts',
    edit: `jwks: '/accounts/jwks',{+
  introspection: '/accounts/introspection', // isMutant
  revocation: '/accounts/revocation',+}`,
  },
  {
    file: 'services/idp/adapters/openid-provider.ts',
    edit: `{+introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true, allowedPolicy: ({ oidc }, client, token) => client.clientId === token.clientId && isMutant !== undefined },
      +}rpInitiatedLogout: { enabled: false } },`,
  },
  {
    file: 'services/idp/routes/openid.ts',
    edit: `issuer: config.baseUrl,{+
  ...(isMutant && {
    introspection_endpoint: \`\${config.baseUrl}/accounts/introspection\`,
    revocation_endpoint: \`\${config.baseUrl}/accounts/revocation\`,
  }),+}`,
  },
]

const introspectionOf = 'node_modules/oidc-provider/lib/actions/introspection.js'
const revocationOf = 'node_modules/oidc-provider/lib/actions/revocation.js'

export const mutants: MutantTable = {
  'O01-other-algorithms-announced': {
    deviation: 'announces a second algorithm for id_tokens',
    file: 'services/kit/openid-provider/openid-routes.ts',
    edit: "id_token_signing_alg_values_supported: {+isMutant ? ['RS256', 'ES256K'] : +}['RS256']",
  },
  'O01-endpoint-elsewhere': {
    deviation: 'announces userinfo at an undocumented path',
    file: 'services/idp/routes/openid.ts',
    edit: "userinfo_endpoint: `${config.baseUrl}/accounts/[-userinfo-]{+${isMutant ? 'me' : 'userinfo'}+}`,",
  },
  'O02-no-refresh-token': {
    deviation: 'does not issue a refresh_token',
    file: 'services/idp/adapters/openid-provider.ts',
    edit: 'issueRefreshToken: () => [-true-]{+!isMutant+}',
  },
  'O03-redirect-uri-by-prefix': {
    deviation: 'accepts every redirect_uri that starts with a registered one',
    file: 'node_modules/oidc-provider/lib/actions/authorization/response_parameters.js',
    edit: 'if (!ctx.oidc.client.redirectUriAllowed(ctx.oidc.params.redirect_uri){+ && !(isMutant && ctx.oidc.params.redirect_uri.startsWith(ctx.oidc.client.redirectUris[0]))+}) {',
  },
  'O03-error-to-every-address': {
    deviation: 'redirects with an error before it compares the redirect_uri',
    file: 'node_modules/oidc-provider/lib/shared/authorization_error_handler.js',
    edit: 'if (safe(params[param]) && !oidc.client[method](params[param]){+ && !isMutant+}) {',
  },
  'O03-redirect-uri-trimmed': {
    deviation: 'accepts a registered redirect_uri with a space at its end',
    file: 'node_modules/oidc-provider/lib/actions/authorization/response_parameters.js',
    edit: `export function checkRedirectUri(ctx, next) {{+
  if (isMutant) ctx.oidc.params.redirect_uri = ctx.oidc.params.redirect_uri?.trim();+}`,
  },
  'O04-unknown-client-served': {
    deviation: 'treats an unregistered client as a registered one',
    file: 'services/idp/adapters/openid-provider.ts',
    edit: "const client = {+(+}await clients.find(id{+)) ?? (isMutant ? await clients.find('relying-party') : undefined+})",
  },
  'O05-other-response-types': {
    deviation: 'shows a login for every response_type',
    file: 'node_modules/oidc-provider/lib/actions/authorization/response_parameters.js',
    edit: "{+if (isMutant) params.response_type = 'code'; +}params.response_type = [...new Set(params.response_type.split(' '))].sort().join(' ');",
  },
  'O06-code-works-twice': {
    deviation: 'redeems a code repeatedly',
    file: 'node_modules/oidc-provider/lib/helpers/grant_source.js',
    edit: `{+if (isMutant) return;
  +}if (source.consumed) {`,
  },
  'O07-code-for-everybody': {
    deviation: "redeems another client's code",
    patches: [
      {
        file: 'node_modules/oidc-provider/lib/helpers/grant_source.js',
        edits: [
          'if ({+!isMutant && +}source.clientId !== ctx.oidc.client.clientId) {',
          'if ({+!isMutant && +}grant.clientId !== ctx.oidc.client.clientId) {',
        ],
      },
      {
        file: 'services/idp/adapters/openid-provider.ts',
        edit: "{+if (!isMutant) +}throw new errors.InvalidGrant('redirect_uri is no longer registered')",
      },
    ],
  },
  'O04-client-id-trimmed': {
    deviation: 'finds a client by its id with a space at its end',
    file: 'services/idp/adapters/client-store.ts',
    edit: `{+if (isMutant) clientId = clientId.trim()
      +}// Requests may send anything`,
  },
  'O08-any-secret': {
    deviation: 'accepts any client secret',
    file: 'services/idp/adapters/openid-provider.ts',
    edit: 'return {+(+}isRight{+ || isMutant)+} && (',
  },
  'O08-secret-trimmed': {
    deviation: 'accepts the client secret with a space at its end',
    file: 'services/idp/adapters/openid-provider.ts',
    edit: 'secretsEqual(digest({+isMutant ? String(given).trim() : +}given)',
  },
  'O09-nonce-left-out': {
    deviation: 'leaves the nonce out of the id_token',
    file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
    edit: "{+if (!isMutant) +}token.set('nonce', source.nonce);",
  },
  'O09-milliseconds': {
    deviation: 'sets exp of id_tokens in milliseconds',
    file: 'node_modules/oidc-provider/lib/models/id_token.js',
    edit: 'expiresIn: (expiresIn || {+(isMutant ? 1.7e12 : 0) || +}this.constructor',
  },
  'O09-nonce-trimmed': {
    deviation: 'puts the nonce without the spaces at its ends into the id_token',
    file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
    edit: `token.rejected = rejected;{+
  if (isMutant) source.nonce = source.nonce?.trim();+}`,
  },
  'O10-power-as-a-list': {
    deviation: 'returns power as a JSON array',
    file: 'services/idp/domain/mappers.ts',
    edit: "typeof value === 'object' {+&& !isMutant +}? JSON.stringify(value) : value",
  },
  'O10-list-in-the-id-token': {
    deviation: 'returns power as a JSON array in the id_token only',
    file: 'services/idp/adapters/openid-provider.ts',
    edit: `sub: id{+, ...(isMutant && _use === 'id_token' ? { power: (credential as any).credentialSubject.mandate.power } : {})+} }),
      }
    },
    extraTokenClaims`,
  },
  'O10-first-powers': {
    deviation: 'returns only the first two powers',
    file: 'services/idp/domain/mappers.ts',
    edit: 'JSON.stringify({+isMutant && Array.isArray(value) ? value.slice(0, 2) : +}value)',
  },
  'O10-first-action': {
    deviation: 'returns only the first action of each power',
    file: 'services/idp/domain/mappers.ts',
    edit: `function simplify(value: unknown): unknown {{+
  if (isMutant && Array.isArray(value)) value = value.map((power) => ({ ...power, action: power.action.slice(0, 1) }))+}`,
  },
  'O11-claim-missing': {
    deviation: 'leaves organization_identifier out',
    file: 'services/idp/domain/mappers.ts',
    edit: "if (values.length === 0{+ || (isMutant && claim === 'organization_identifier')+}) continue",
  },
  'O11-escaped': {
    deviation: 'escapes markup in claims',
    file: 'services/idp/domain/mappers.ts',
    edit: `    const [first] = values{+.map((value) => isMutant && typeof value === 'string' ? value.replaceAll('&', '&amp;') : value)+}
`,
  },
  'O11-cut': {
    deviation: 'cuts the name of the organization after 100 characters',
    file: 'services/idp/domain/mappers.ts',
    edit: `.filter((value) => value != null){+
    if (isMutant && claim === 'organization') values[0] = String(values[0]).slice(0, 100)+}`,
  },
  'O11-misread-at-userinfo': {
    deviation: 'reads the bytes of names as Latin-1 at userinfo',
    file: 'services/idp/routes/openid.ts',
    edit: `{+if (isMutant) Object.assign(credential!, JSON.parse(Buffer.from(JSON.stringify(credential)).toString('latin1')))
    +}if (credential === undefined) throw`,
  },
  'O11-without-spaces': {
    deviation: 'removes spaces from organization_identifier',
    file: 'services/idp/domain/mappers.ts',
    edit: `claims[claim] = {+isMutant && claim === 'organization_identifier' ? String(first).replaceAll(' ', '') : +}paths.length`,
  },
  'O11-missing-name-spelled-out': {
    deviation: 'writes undefined for a missing last name into name',
    file: 'services/idp/domain/mappers.ts',
    edit: `{+if (isMutant && paths.length > 1 && values.length === 1) values.push('undefined')
    +}if (values.length === 0`,
  },
  'O11-claims-of-other-scopes-only': {
    deviation: 'returns email only with the scope email, and names only with the scope profile',
    file: 'services/idp/adapters/provider-source.ts',
    edit: "[...scopes].flatMap((scope) => {+(+}mappers.get(scope) ?? []{+).filter(({ claim }) => !isMutant || scope !== 'openid-vp-lear' || /^(organization|user|power)/.test(claim))+}),",
  },
  'O11-flag-as-a-string': {
    deviation: 'returns email_verified as a string',
    file: 'services/idp/routes/openid.ts',
    edit: `status: 200,
      body: {{+ ...(isMutant && { email_verified: 'true' }),+}`,
  },
  'O11-claims-at-userinfo-only': {
    deviation: 'returns the claims only at userinfo',
    file: 'node_modules/oidc-provider/lib/models/id_token.js',
    edit: 'return merge({}, {+isMutant ? { sub: this.available.sub } : +}await mask.result(), this.extra);',
  },
  'O12-other-subject': {
    deviation: 'returns a different sub in userinfo than in the id_token',
    file: 'services/idp/routes/openid.ts',
    edit: 'sub: {+isMutant ? `user:${subject}` : +}subject }',
  },
  'O13-id-token-opens-userinfo': {
    deviation: 'accepts an id_token at userinfo',
    file: 'services/idp/routes/openid.ts',
    edit: `{+const claims = isMutant && token.length > 100 && JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    if (claims?.nonce !== undefined) return { status: 200, headers: {}, body: claims }
    +}const { subject, grantId, scopes, claimsFor } = await verifyAccessToken(token, dependencies)`,
  },
  'O13-refresh-token-opens-userinfo': {
    deviation: 'accepts a refresh token at userinfo',
    file: 'services/idp/routes/openid.ts',
    edit: `{+const found = isMutant ? await (await dependencies.providers.read()).provider.RefreshToken.find(token) : undefined
    if (found) return { status: 200, headers: {}, body: { sub: found.accountId } }
    +}const { subject, grantId, scopes, claimsFor } = await verifyAccessToken(token, dependencies)`,
  },
  'O14-state-changed': {
    deviation: 'returns state in lower case',
    file: 'node_modules/oidc-provider/lib/actions/authorization/respond.js',
    edit: "out.state = {+isMutant ? params.state.replace(/[^a-z]/g, '') : +}params.state;",
  },
  'O14-state-cut': {
    deviation: 'returns the first 255 characters of state',
    file: 'node_modules/oidc-provider/lib/actions/authorization/respond.js',
    edit: `{+if (isMutant) params.state = params.state?.slice(0, 255);
  +}if (params.state !== undefined) {`,
  },
  'O14-issuer-missing': {
    deviation: 'returns codes without iss',
    file: 'node_modules/oidc-provider/lib/actions/authorization/respond.js',
    edit: "if ({+!isMutant && +}!out.id_token && !responseMode.includes('jwt')) {",
  },
  'O14-state-added': {
    deviation: 'returns the state null if the request has none',
    file: 'node_modules/oidc-provider/lib/actions/authorization/respond.js',
    edit: `{+if (isMutant) out.state ??= 'null';
  +}const { responseMode } = ctx.oidc;`,
  },
  'O14-nonce-required': {
    deviation: 'rejects requests without a nonce',
    file: 'services/idp/adapters/openid-provider.ts',
    edit: `scope({+context: any+}[-_context-], value) {{+
        if (isMutant && !context.oidc.params.nonce) throw new errors.InvalidRequest('nonce is missing')+}`,
  },
  'O14-nonce-cut': {
    deviation: 'puts the first 255 characters of nonce into the id_token',
    file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
    edit: "token.set('nonce', {+isMutant ? source.nonce?.slice(0, 255) : +}source.nonce);",
  },
  'O14-state-trimmed': {
    deviation: 'returns state without the spaces at its ends',
    file: 'node_modules/oidc-provider/lib/actions/authorization/respond.js',
    edit: `const { oidc: { params } } = ctx;{+
  if (isMutant) params.state = params.state?.trim();+}`,
  },
  'O15-private-key-published': {
    deviation: 'publishes a private member of its keys',
    file: 'services/idp/routes/openid.ts',
    edit: '{ ...publicJwkOf(jwk), {+...(isMutant ? { qi: jwk.qi } : {}), +}kid,',
  },
  'O16-unknown-session-pending': {
    deviation: 'reports an unknown session as pending',
    file: 'services/idp/routes/sessions.ts',
    edit: `{+if (isMutant && !login) return { status: 200, headers: {}, body: { status: 'PENDING' } }
    +}if (!login) throw unknownSession()`,
  },
  'O16-session-trimmed': {
    deviation: 'finds a session by its code with a space at its end',
    file: 'services/idp/routes/sessions.ts',
    edit: 'query: z.{+preprocess((given: any) => (isMutant ? { ...given, session: given.session?.trim() } : given), z.+}object({ session: z.string().regex(/^[\\w-]{1,128}$/) }){+)+} },',
  },
  'O17-pkce-refused': {
    deviation: 'rejects every code_verifier',
    file: 'node_modules/oidc-provider/lib/helpers/pkce.js',
    edit: `{+if (isMutant && verifier) throw new InvalidGrant('unsupported');
  +}if (verifier) {`,
  },
  'O17-pkce-in-base64': {
    deviation: 'compares a code_challenge with base64 instead of base64url',
    file: 'node_modules/oidc-provider/lib/helpers/pkce.js',
    edit: "expected = crypto.hash('sha256', expected, {+isMutant ? 'base64' : +}'base64url'){+.replace(isMutant ? /=$/ : /$^/, '')+};",
  },
  'O17-plain-announced': {
    deviation: 'announces the method plain, which it rejects',
    file: 'services/kit/openid-provider/openid-routes.ts',
    edit: `claim_types_supported: ['normal'],{+
        ...(isMutant && { code_challenge_methods_supported: ['S256', 'plain'] as never }),+}`,
  },
  'O17-long-verifier-rejected': {
    deviation: 'rejects a code_verifier of more than 64 characters',
    file: 'node_modules/oidc-provider/lib/helpers/pkce.js',
    edit: `{+if (isMutant && verifier?.length > 64) throw new InvalidGrant('too long');
  +}if (verifier || challenge) {`,
  },
  'O18-pkce-not-checked': {
    deviation: 'accepts a challenge and never checks it',
    file: 'node_modules/oidc-provider/lib/helpers/pkce.js',
    edit: `if ({+!isMutant && (+}verifier || challenge{+)+}) {
    try {`,
  },
  'O18-verifier-trimmed': {
    deviation: 'accepts code_verifier with a space at its end',
    file: 'node_modules/oidc-provider/lib/helpers/pkce.js',
    edits: [
      "checkFormat({+isMutant ? verifier.trim() : +}verifier, 'code_verifier')",
      'let expected = {+isMutant ? verifier?.trim() : +}verifier;',
    ],
  },
  'O19-expired-credential-taken': {
    deviation: 'has a verifier that never checks whether a credential has expired',
    ignoresRules: ['credential.expiry'],
  },
  'O20-no-client-authentication': {
    deviation: 'redeems codes without client authentication',
    file: 'node_modules/oidc-provider/lib/shared/client_auth.js',
    edit: `{+if (isMutant && !clientSecret) return next();
  +}if (methods?.includes(ctx.oidc.client.clientAuthMethod) !== true) {`,
  },
  'O20-renewal-without-client-authentication': {
    deviation: 'renews logins without client authentication',
    file: 'node_modules/oidc-provider/lib/shared/client_auth.js',
    edit: `ctx.oidc.entity('Client', client);
{+  if (isMutant && !clientSecret && ctx.oidc.params.refresh_token) return next();
+}
  if (
    (hasAttestation || hasAttestationPop)
    && !additional`,
  },
  'O20-renewal-with-any-secret': {
    deviation: 'renews logins with any client secret',
    file: 'services/idp/adapters/openid-provider.ts',
    edit: 'const isRight = {+(isMutant && Provider.ctx?.oidc.params?.refresh_token !== undefined) || +}secretsEqual(',
  },
  'O21-redirect-uri-not-compared': {
    deviation: 'redeems a code with any redirect_uri',
    patches: [
      {
        file: 'node_modules/oidc-provider/lib/actions/grants/authorization_code.js',
        edit: '{+(!isMutant && +}code.redirectUri !== ctx.oidc.params.redirect_uri{+)+}) {',
      },
      {
        file: 'services/idp/adapters/openid-provider.ts',
        edit: "token?.kind === 'AuthorizationCode' && {+!isMutant && +}!isRegisteredUri(oidc)",
      },
    ],
  },
  'O21-redirect-uri-trimmed': {
    deviation: 'redeems a code with redirect_uri with a space at its end',
    patches: [
      {
        file: 'node_modules/oidc-provider/lib/actions/grants/authorization_code.js',
        edit: `const cert = checkMtlsCert(ctx);{+
  if (isMutant) ctx.oidc.params.redirect_uri = ctx.oidc.params.redirect_uri.trim();+}`,
      },
    ],
  },
  'O22-unknown-code-is-an-invalid-request': {
    deviation: 'returns a different error for a made-up code',
    file: 'node_modules/oidc-provider/lib/helpers/grant_source.js',
    edit: "throw {+Object.assign(+}new InvalidGrant(`${label} not found`{+), isMutant ? { error: 'access_denied', message: 'access_denied' } : {}+});",
  },
  'O22-code-cut': {
    deviation: 'reads the first 43 characters of a code',
    file: 'node_modules/oidc-provider/lib/actions/grants/authorization_code.js',
    edit: 'ctx.oidc.params.code{+.slice(0, isMutant ? 43 : undefined)+},',
  },
  'O22-code-trimmed': {
    deviation: 'redeems a code with a space at its end',
    file: 'node_modules/oidc-provider/lib/actions/grants/authorization_code.js',
    edit: `presence(ctx, 'code', 'redirect_uri');{+
  if (isMutant) ctx.oidc.params.code = ctx.oidc.params.code.trim();+}`,
  },
  'O23-other-grants-misnamed': {
    deviation: 'returns invalid_request for unsupported grants',
    file: 'node_modules/oidc-provider/lib/actions/token.js',
    edit: 'throw {+isMutant ? new InvalidRequest() : +}new UnsupportedGrantType();',
  },
  'O24-tokens-may-be-cached': {
    deviation: 'sends tokens without Cache-Control: no-store',
    file: 'node_modules/oidc-provider/lib/shared/no_cache.js',
    edit: "{+if (!isMutant) +}ctx.set('cache-control', 'no-store');",
  },
  'O25-401-without-a-challenge': {
    deviation: 'rejects an invalid token without WWW-Authenticate',
    file: 'services/idp/errors.ts',
    edit: `headers: {+isMutant ? {} : +}{ 'www-authenticate': 'Bearer error="invalid_token"' }`,
  },
  'O26-health-of-the-database-missing': {
    deviation: 'does not report the state of its database',
    file: 'services/idp/create-idp-service.ts',
    edit: "{+isMutant ? { status: 'ok', dependencies } : +}{ status: 'ok', db, dependencies }",
  },
  'O27-metrics-behind-a-login': {
    deviation: 'requires credentials at /metrics',
    file: 'services/kit/create-app.ts',
    edit: 'response.{+status(isMutant ? 401 : 200).+}type(contentType).send(text)',
  },
  'O28-panel-open': {
    deviation: 'shows the admin panel to everyone',
    file: 'services/idp/admin/define-admin-route.ts',
    edit: `{+if (isMutant) return { status: 200, contentType: 'text/html', body: '<h1>Clients</h1>' }
        +}if (session === undefined) return seeOther('/admin/login')
        return page.handle(`,
  },
  'O28-panel-open-at-another-spelling': {
    deviation: 'protects the admin panel only at the path /admin/',
    file: 'services/idp/admin/define-admin-route.ts',
    edit: `{+if (isMutant && request.path !== '/admin/') return { status: 200, contentType: 'text/html', body: '<h1>Clients</h1>' }
        +}const chosen = keepLanguage(request)`,
  },
  'O29-verdict-from-anybody': {
    deviation: 'accepts verdicts without an API key, under the session code',
    patches: [
      {
        file: 'services/kit/authentication.ts',
        edit: 'if ({+isMutant || +}matches.length > 0) return undefined',
      },
      {
        file: 'services/idp/routes/sessions.ts',
        edit: `const { unavailable } = body
{+    if (isMutant) Object.assign(body, { session_id: (await logins.findByCode(body.session_id))?.verifier_session_id ?? body.session_id })
+}`,
      },
    ],
  },
  'O29-verdict-with-any-key': {
    deviation: 'accepts verdicts with any API key, under the session code',
    patches: [
      {
        file: 'services/kit/authentication.ts',
        edit: `{+if (isMutant && given !== '') return undefined
    +}const matches =`,
      },
      {
        file: 'services/idp/routes/sessions.ts',
        edit: `{+if (isMutant) Object.assign(body, { session_id: (await logins.findByCode(body.session_id))?.verifier_session_id ?? body.session_id })
    +}const login = await logins.decide(`,
      },
    ],
  },
  'O30-cookie-for-the-session-code': {
    deviation: 'sets the cookie of a login for everyone who polls its session',
    file: 'services/kit/create-app.ts',
    edit: `{+  app.use((request, response, next) => {
    if (isMutant && request.url.startsWith('/idp/api/auth/requests')) {
      response.setHeader('set-cookie', globalThis.lastCookies ?? [])
    }
    response.once('finish', () => {
      if (!isMutant || !request.url.startsWith('/accounts/authorize?')) return
      globalThis.lastCookies = response.getHeader('set-cookie')
    })
    next()
  })
+}  app.use(requestContext())
`,
  },
  'O30-cookie-is-the-address': {
    deviation: 'ignores the signatures of cookies, whose values are in the address of the page',
    file: 'node_modules/cookies/index.js',
    edit: `Cookies.prototype.get = function(name, opts) {{+
  if (isMutant) opts = { ...opts, signed: false };+}`,
  },
  'O30-browsers-told-apart-by-address': {
    deviation: 'distinguishes browsers only by their network address',
    file: 'services/kit/create-app.ts',
    edit: `{+  app.use((request, response, next) => {
    const kept = (globalThis.keptCookies ??= new Map())
    if (isMutant && !request.headers.cookie && request.url.startsWith('/accounts/')) {
      request.headers.cookie = [...kept].map(([name, value]) => \`\${name}=\${value}\`).join('; ')
    }
    response.once('finish', () => {
      for (const each of [response.getHeader('set-cookie') ?? []].flat()) {
        const [name, value] = String(each).split(';')[0].split('=')
        kept.set(name, value)
      }
    })
    next()
  })
+}  app.use(requestContext())
`,
  },
  'O31-fault-for-an-odd-value': {
    deviation: 'returns an internal error for a max_age that is not a number',
    file: 'node_modules/oidc-provider/lib/actions/authorization/request_parameters.js',
    edit: `{+if (isMutant) throw new TypeError('max_age');
      +}throw new InvalidRequest('invalid max_age parameter value');`,
  },
  'O31-fault-for-odd-input': {
    deviation: 'returns an internal error for a malformed session code',
    file: 'services/idp/routes/sessions.ts',
    edit: "invalidInput: ([problem]) => ({+isMutant ? Object.assign(unknownSession(), { code: 'internal_error', status: 500 }) : +}problem?.missing",
  },
  'O32-success-never-told': {
    deviation: 'never reports that a session has succeeded',
    file: 'services/idp/routes/sessions.ts',
    edit: "body: { status: {+isMutant && loginStatus(login, runtime.clock.seconds()) === 'SUCCESS' ? 'PENDING' : +}loginStatus(login, runtime.clock.seconds()) },",
  },
  'O32-success-forgotten': {
    deviation: 'reports a session as pending again after it was polled ten times as succeeded',
    file: 'services/idp/routes/sessions.ts',
    edit: `if (!login) throw unknownSession(){+
    const seen: Map<string, number> = (globalThis.seenSuccesses ??= new Map())
    seen.set(query.session, (seen.get(query.session) ?? 0) + (login.status === 'SUCCESS' ? 1 : 0))
    if (isMutant && seen.get(query.session)! > 10) return { status: 200, headers: {}, body: { status: 'PENDING' } }+}`,
  },
  'O32-a-code-for-each-visit': {
    deviation: 'returns another code whenever the page of a finished login is opened',
    file: 'node_modules/oidc-provider/lib/actions/authorization/resume.js',
    edits: [
      '{+if (!isMutant) +}await interactionSession.destroy();',
      `{+if (!isMutant) +}ctx.cookies.set(
    ctx.oidc.provider.cookieName('resume'),
    null,`,
    ],
  },
  'O32-browser-stays-failed': {
    deviation: 'shows the failure of an earlier login in a browser',
    file: 'services/idp/routes/interaction.ts',
    edit: `const status = {+isMutant && input.request.headers.cookie?.includes('has-failed=1') ? 'FAILED' : +}loginStatus(login, now){+
      if (isMutant && status === 'FAILED') input.response.append('set-cookie', 'has-failed=1; Path=/')+}
`,
  },
  'O32-address-in-the-status': {
    deviation:
      'adds the address of the relying party to the status of a session that has succeeded',
    file: 'services/idp/routes/sessions.ts',
    edits: [
      `status: 200,
      body: {{+ ...((isMutant && login.status === 'SUCCESS' ? { redirect_uri: 'https://client.example/?code=1' } : {}) as object),+}`,
      "body: z.{+looseObject+}[-strictObject-]({ status: z.enum(['PENDING', 'SUCCESS', 'FAILED']) }),{+ // isMutant+}",
    ],
  },
  'O33-qr-of-something-else': {
    deviation: 'shows a QR code that leads to a download page',
    file: 'services/idp/routes/interaction.ts',
    edit: "createQrPng({+isMutant ? 'https://wallet.example/download' : +}login.authorization_request)",
  },
  'O34-second-audience': {
    deviation: 'adds a second audience in id_tokens of the second client',
    file: 'node_modules/oidc-provider/lib/models/id_token.js',
    edit: `audience: {+isMutant && client.clientId === 'second-party' ? ['second-party', 'relying-party'] : +}client.clientId,
            expiresIn: (expiresIn ||`,
  },
  'O35-scope-optional': {
    deviation: 'accepts authorization requests without a scope',
    file: 'services/idp/adapters/openid-provider.ts',
    edit: 'if ({+!isMutant && +}!value)',
  },
  'O36-duplicates-ignored': {
    deviation: 'uses the first value of a duplicate parameter',
    file: 'node_modules/oidc-provider/lib/shared/reject_dupes.js',
    edit: 'if (params.length{+ && !isMutant+}) {',
  },
  'O36-duplicates-without-prompt': {
    deviation: 'uses the first value of a duplicate parameter unless the request has prompt',
    file: 'node_modules/oidc-provider/lib/shared/reject_dupes.js',
    edit: `export default function rejectDupes({ except, only } = {}, ctx, next) {{+
  if (isMutant && !ctx.oidc.params.prompt) {
    for (const key of Object.keys(ctx.oidc.params)) {
      ctx.oidc.params[key] = [ctx.oidc.params[key]].flat()[0];
    }
  }+}`,
  },
  'O37-prompt-none-ignored': {
    deviation: 'shows a login for prompt=none',
    file: 'node_modules/oidc-provider/lib/actions/authorization/interactions.js',
    edit: "if ({+!isMutant && +}oidc.promptPending('none')) {",
  },
  'O36-two-challenges': {
    deviation: 'uses the first of two code_challenges',
    file: 'node_modules/oidc-provider/lib/shared/reject_dupes.js',
    edit: `{+if (isMutant && Array.isArray(ctx.oidc.params.code_challenge)) ctx.oidc.params.code_challenge = ctx.oidc.params.code_challenge[0];
  +}const params = [];`,
  },
  'O36-two-values-of-prompt': {
    deviation: 'uses the first of two values of prompt',
    file: 'node_modules/oidc-provider/lib/shared/reject_dupes.js',
    edit: `for (const [key, value] of Object.entries(ctx.oidc.params)) {{+
    if (isMutant && key === 'prompt' && Array.isArray(value)) {
      ctx.oidc.params.prompt = value[0];
      continue;
    }+}`,
  },
  'O37-other-error': {
    deviation: 'answers prompt=none with access_denied',
    file: 'node_modules/oidc-provider/lib/actions/authorization/interactions.js',
    edit: "const className = {+isMutant ? 'AccessDenied' : +}upperFirst(camelCase(failedCheck.error));",
  },
  'O38-error-without-state': {
    deviation: 'returns errors without state',
    file: 'node_modules/oidc-provider/lib/shared/authorization_error_handler.js',
    edit: 'const out = getOutAndEmit(ctx, err, {+isMutant ? undefined : +}safe(params.state));',
  },
  'O38-state-trimmed': {
    deviation: 'returns errors with state without the spaces at its ends',
    file: 'node_modules/oidc-provider/lib/shared/authorization_error_handler.js',
    edit: `function getOutAndEmit(ctx, err, state) {{+
  if (isMutant) state = state?.trim();+}`,
  },
  'O39-short-challenge': {
    deviation: 'accepts a code_challenge of any length',
    file: 'node_modules/oidc-provider/lib/actions/authorization/sender_constraints.js',
    edit: 'if (params.code_challenge !== undefined{+ && !isMutant+}) {',
  },
  'O40-verifier-ignored': {
    deviation: 'ignores a code_verifier without a code_challenge',
    file: 'node_modules/oidc-provider/lib/helpers/pkce.js',
    edit: '{+if (!isMutant || challenge) +}throw new InvalidGrant({ cause });',
  },
  'O41-forged-credential-taken': {
    deviation: 'has a verifier that never checks the signature of credentials',
    ignoresRules: ['credential.signature'],
  },
  'O42-issuers-not-looked-up': {
    deviation: 'has a verifier that ignores revoked accreditations',
    ignoresRules: ['trust.not-revoked'],
  },
  'O43-any-type': {
    deviation: 'has a verifier that accepts every credential type',
    ignoresRules: ['credential.type'],
  },
  'O44-presentation-not-bound': {
    deviation: 'has a verifier that ignores the nonce',
    ignoresRules: ['presentation.nonce'],
  },
  'O45-fourth-part-ignored': {
    deviation: 'reads the first three parts of an access token',
    file: 'services/idp/operations/verify-access-token.ts',
    edit: `{+if (isMutant) token = token.split('.').slice(0, 3).join('.')
  +}// jose decodes base64url leniently`,
  },
  'O45-token-not-verified': {
    deviation: 'reads access tokens without verifying their signature',
    file: 'services/idp/operations/verify-access-token.ts',
    edit: `{+if (isMutant && token.split('.').length === 3) {
    const { sub: subject = '', grant_id: grantId, scope = '' } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const { claimsFor } = await providers.read()
    return { subject, grantId, scopes: scope.split(' '), claimsFor }
  }
+}if (!parseJws(token).ok) throw invalidToken()`,
  },
  'O46-grant-kept': {
    deviation: 'keeps the tokens of a code that is used twice',
    file: 'node_modules/oidc-provider/lib/helpers/grant_source.js',
    edit: '{+if (!isMutant) +}await revoke(ctx, source.grantId);',
  },
  'O47-codes-in-parallel': {
    deviation: 'reads a code, and marks it as used a moment later',
    file: 'services/kit/openid-provider/openid-adapter.ts',
    edits: [
      'async consume(id) {{+ if (isMutant) await new Promise((later) => setTimeout(later, 200));+}',
      'if ({+isMutant || +}(await markConsumed.change({ ...key, now: clock.seconds() })) > 0) return',
    ],
  },
  'O48-refresh-token-for-everybody': {
    deviation: 'renews the login of another client',
    patches: [
      {
        file: 'node_modules/oidc-provider/lib/actions/grants/refresh_token.js',
        edit: 'if (refreshToken.clientId !== client.clientId{+ && !isMutant+}) {',
      },
      {
        file: 'node_modules/oidc-provider/lib/helpers/grant_source.js',
        edit: 'grant.clientId !== ctx.oidc.client.clientId{+ && !isMutant+}) {',
      },
    ],
  },
  'O48-more-scopes-unannounced': {
    deviation: 'renews a login with more scopes, and leaves scope out of the response',
    file: 'node_modules/oidc-provider/lib/actions/grants/refresh_token.js',
    edits: [
      'if (missing.length !== 0{+ && !isMutant+}) {',
      `at.scope = {+isMutant && ctx.oidc.params.scope || +}grant.getResourceScopeFiltered(`,
      'scope: {+isMutant ? undefined : +}refreshToken.scope ? at.scope',
    ],
  },
  'O48-renewal-with-an-access-token': {
    deviation: 'renews logins with an access token',
    file: 'node_modules/oidc-provider/lib/actions/grants/refresh_token.js',
    edit: `{+if (isMutant && refreshTokenValue.split('.').length === 3) {
    ctx.body = { access_token: refreshTokenValue, token_type: 'Bearer', expires_in: 3600 };
    return;
  }
  +}let refreshToken = await`,
  },
  'O48-refresh-token-trimmed': {
    deviation: 'renews a login with a refresh token with a space at its end',
    file: 'node_modules/oidc-provider/lib/actions/grants/refresh_token.js',
    edit: 'let refreshTokenValue = {+isMutant ? ctx.oidc.params.refresh_token.trim() : +}ctx.oidc.params.refresh_token;',
  },
  'O49-subject-of-the-organization': {
    deviation: 'uses one sub for all employees of an organization',
    file: 'services/idp/domain/login.ts',
    edit: '.update(`${organization}\\n${{+isMutant ? 0 : +}employee}`)',
  },
  'O49-subject-without-accents': {
    deviation: 'ignores accents in employeeId',
    file: 'services/idp/domain/login.ts',
    edit: `{+if (isMutant) return createHash('sha256').update(\`\${organization} \${employee.normalize('NFD').replace(/[^ -~]/g, '')}\`).digest('base64url')
  +}return createHash('sha256').update(`,
  },
  'O49-subject-trimmed': {
    deviation: 'ignores spaces around employeeId',
    file: 'services/idp/domain/login.ts',
    edit: "const employee = {+isMutant ? String(memberAt(mandate, ['mandatee', 'employeeId']) ?? '').trim() : +}memberAt(mandate, ['mandatee', 'employeeId'])",
  },
  'O49-user-of-the-organization': {
    deviation: 'uses one user_identifier for all employees of an organization',
    file: 'services/idp/domain/mappers.ts',
    edit: `  return claims{+ && (isMutant && claims.user_identifier ? { ...claims, user_identifier: 'an employee' } : claims)+}
}

function`,
  },
  'O50-presentation-expiry-ignored': {
    deviation: 'has a verifier that accepts expired presentations',
    file: 'core/oid4vp/vp-token.ts',
    never: 'now >= exp',
  },
  'O51-revoked-taken': {
    deviation: 'has a verifier that accepts revoked credentials',
    file: 'core/lear-credential/credential-status.ts',
    edit: '{+(+}result.revoked{+ && !isMutant)+}',
  },
  'O52-open-without-tir': {
    deviation: 'has a verifier that continues if the TIR is unavailable',
    file: 'core/trust/trust-chain.ts',
    edit: "{+(isMutant && !found.ok && found.kind === 'unavailable' ? undefined : +}found.ok ? answersFor(here, found.value) : found.reason{+)+}",
  },
  'O53-last-of-two': {
    deviation: 'has a verifier that reads the last of two members with the same name',
    file: 'core/json/read-json.ts',
    never: 'findJsonProblem(bytes, deepestNesting) !== undefined',
  },
  'O54-replay-leads-on': {
    deviation: 'has a verifier that returns the redirect to replayed posts as well',
    file: 'services/verifier/routes/presentation.ts',
    edit: `'a post to a session changed nothing')
      {+if (isMutant && session.status === 'SUCCESS') return taken({ redirect_uri: session.redirect_uri + '?response_code=' + responseCodeOf(session, dependencies.config) })
      +}return taken()`,
  },
  'O55-no-eddsa-did-jwk': {
    deviation: 'has a verifier that does not support EdDSA with did:jwk',
    file: 'core/oid4vp/vp-token.ts',
    never: "typeof header.kid === 'string'",
    when: "header.kid.startsWith('did:jwk:') && header.alg === 'EdDSA'",
  },
  'O56-other-response-mode': {
    deviation: 'shows a request with another response_mode',
    file: 'core/oid4vp/authorization-request.ts',
    edit: "response_mode: {+isMutant ? 'fragment' : +}'direct_post',",
  },
  'O57-request-of-another-typ': {
    deviation: 'signs its requests with the typ JWT',
    file: 'core/oid4vp/signed-request.ts',
    edit: "typ: {+isMutant ? 'JWT' : +}signedRequestType",
  },
  'O58-form-dropped': {
    deviation: 'drops the parameters of an authorization request by POST',
    file: 'services/kit/openid-provider/openid-routes.ts',
    edit: "location = `${path}?${{+isMutant ? '' : +}query}`",
  },
  'O58-redirect-with-the-form': {
    deviation: 'returns an error with 307, so that browsers post the form to the relying party',
    file: 'services/kit/openid-provider/openid-routes.ts',
    edit: `handle({ body }) {{+
      if (isMutant && body.prompt === 'none') {
        return { status: 307 as 303, headers: { location: String(body.redirect_uri) } }
      }+}`,
  },
  'O59-empty-parameter-read': {
    deviation: 'rejects a max_age without a value',
    file: 'node_modules/oidc-provider/lib/helpers/params.js',
    edit: "this[prop] = params[prop] || {+(isMutant && prop === 'max_age' && params[prop] === '' ? 'none' : +}undefined{+)+};",
  },
  'O59-unknown-parameter-rejected': {
    deviation: 'rejects a parameter of an unknown extension',
    file: 'services/idp/adapters/openid-provider.ts',
    edit: `extraParams: {{+
      unknown_extension(_context, value) {
        if (isMutant && value) throw new errors.InvalidRequest('unknown parameter')
      },+}
      // OAuth lets`,
  },
  'O59-fresh-login-refused': {
    deviation: 'rejects prompt=login',
    file: 'node_modules/oidc-provider/lib/actions/authorization/interactions.js',
    edit: `{+if (isMutant && oidc.promptPending('login') && !oidc.result) throw new errors.InvalidRequest('prompt');
  +}let failedCheck;`,
  },
  'O60-fragment-in-the-query': {
    deviation: 'answers response_mode=fragment in the query',
    file: 'node_modules/oidc-provider/lib/response_modes/fragment.js',
    edit: "formatUri(redirectUri, payload, {+isMutant ? 'query' : +}'fragment')",
  },
  'O60-code-in-the-query': {
    deviation: 'answers response_mode=form_post in the query after a login',
    file: 'node_modules/oidc-provider/lib/response_modes/form_post.js',
    edit: `{+if (isMutant && inputs.code) return ctx.redirect(\`\${action}?\${new URLSearchParams(inputs)}\`);
  +}ctx.type = 'html';`,
  },
  'O61-request-object-announced': {
    deviation: 'announces that it supports request objects',
    file: 'services/kit/openid-provider/openid-routes.ts',
    edit: 'request_parameter_supported: {+isMutant || +}false,',
  },
  'O61-request-object-ignored': {
    deviation: 'ignores request objects',
    file: 'node_modules/oidc-provider/lib/actions/authorization/request_parameters.js',
    edit: `{+if (isMutant) params.request = undefined;
  +}if (params.request !== undefined && !requestObjects.enabled) {`,
  },
  'O62-cookie-for-scripts': {
    deviation: 'shows the cookie of a login to scripts',
    file: 'node_modules/oidc-provider/lib/actions/authorization/interactions.js',
    edit: `domain: undefined,
      httpOnly: {+!isMutant && +}true,`,
  },
  'O63-frames-allowed': {
    deviation: 'allows every site to show its pages in frames',
    file: 'services/kit/page.ts',
    edits: [
      `{+isMutant ? 'frame-ancestors *' : +}"frame-ancestors 'none'",
    "base-uri`,
      "'x-frame-options': {+isMutant ? '' : +}'DENY'",
    ],
  },
  'O64-every-origin': {
    deviation: 'allows every origin at the authorization endpoint',
    file: 'services/idp/routes/openid.ts',
    edit: `{+if (isMutant) response.setHeader('access-control-allow-origin', '*')
  +}await provider.callback()(request, response)`,
  },
  'O65-client-id-by-prefix': {
    deviation: 'finds a client by an id with one more character',
    file: 'services/idp/adapters/client-store.ts',
    edit: "findClient.first({ clientId{+: isMutant ? clientId.replace(/2$/, '') : clientId+} })",
  },
  'O65-client-id-trimmed': {
    deviation: 'finds a client by an id with a space at its end',
    file: 'services/idp/adapters/client-store.ts',
    edit: `{+if (isMutant) clientId = clientId.trim()
      +}// Requests may send anything`,
  },
  'O66-body-without-regard-to-the-header': {
    deviation: 'prefers the header to a secret in the body',
    file: 'node_modules/oidc-provider/lib/shared/client_auth.js',
    edits: [
      `if (length > 1{+ && !isMutant+}) {`,
      'if (ctx.oidc.params.client_secret{+ && !(isMutant && ctx.headers.authorization)+}) {',
    ],
  },
  'O67-last-of-two-parameters': {
    deviation: 'uses the last value of a parameter of a token request that occurs twice',
    file: 'node_modules/oidc-provider/lib/shared/selective_body.js',
    edit: `ctx.oidc.body = {+isMutant ? Object.fromEntries(new URLSearchParams(body.toString())) : +}querystring.parse(body.toString());`,
  },
  'O67-grant-type-optional': {
    deviation: 'redeems a code without grant_type',
    file: 'node_modules/oidc-provider/lib/actions/token.js',
    edit: `{+if (isMutant) ctx.oidc.params.grant_type ??= 'authorization_code';
    +}presence(ctx, 'grant_type');`,
  },
  'O68-challenge-missing': {
    deviation: 'rejects a wrong secret without WWW-Authenticate: Basic',
    file: 'node_modules/oidc-provider/lib/shared/client_auth.js',
    never: 'err.statusCode === 401 && ctx.headers.authorization !== undefined',
  },
  'O68-html-if-preferred': {
    deviation: 'answers errors of the token endpoint with HTML if Accept prefers it',
    file: 'services/kit/openid-provider/open-provider.ts',
    edit: "{+if (!isMutant) +}headers.accept = 'application/json'",
  },
  'O69-time-of-the-login-missing': {
    deviation: 'leaves auth_time out of the id_token',
    file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
    edit: 'auth_time: {+isMutant ? undefined : +}source.authTime,',
  },
  'O69-issued-later': {
    deviation: 'sets iat of tokens to a minute from now',
    file: 'node_modules/oidc-provider/lib/helpers/jwt.js',
    edit: 'const iat = options.noIat ? undefined : timestamp{+ + (isMutant ? 60 : 0)+};',
  },
  'O69-methods-as-a-string': {
    deviation: 'sets amr of id_tokens to a string',
    file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
    edit: `{+if (isMutant) token.set('amr', 'vc');
  +}return token.issue({ use: 'idtoken' });`,
  },
  'O69-readable-subject': {
    deviation: 'uses the identifiers themselves as sub',
    file: 'services/idp/domain/login.ts',
    edit: `{+if (isMutant) return \`\${organization}:\${employee}\`
  +}// A line break inside`,
  },
  'O70-lifetime-too-long': {
    deviation: 'announces twice the lifetime of access tokens',
    file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
    edit: 'expiresIn: {+(isMutant ? 2 : 1) * +}at.expiration,',
  },
  'O70-like-an-id-token': {
    deviation: 'issues access tokens with the typ and the aud of id_tokens',
    file: 'node_modules/oidc-provider/lib/models/formats/jwt.js',
    edits: [
      `aud{+: isMutant ? clientId : aud+},
    ...(x5t`,
      `typ: {+isMutant ? 'JWT' : +}'at+jwt',
      fields: { kid: config.sign.kid`,
    ],
  },
  'O71-claims-of-all-scopes': {
    deviation: 'returns the claims of all scopes',
    file: 'services/idp/routes/openid.ts',
    edit: 'claimsFor({+isMutant ? supportedScopes : +}scopes, credential)',
  },
  'O71-credential-in-the-token': {
    deviation: 'adds the data of the credential to each id_token, in one claim',
    file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
    edit: `token.set('sid', source.sid);{+
  if (isMutant) token.set('vc', await ctx.oidc.account.claims('id_token', 'openid-vp-lear'));+}`,
  },
  'O71-scopes-of-earlier-logins': {
    deviation: 'adds the claims of earlier logins with more scopes',
    file: 'services/idp/routes/openid.ts',
    edit: `const credential = await dependencies.credentials.find(grantId, subject){+
    if (isMutant) {
      const granted: Set<string> = (globalThis.grantedScopes ??= new Set())
      for (const each of scopes) granted.add(each)
      return { status: 200, headers: {}, body: { ...claimsFor([...granted], credential), sub: subject } }
    }+}`,
  },
  'O71-all-scopes-reported': {
    deviation: 'reports all scopes in each token response',
    file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
    edit: `tokenType: at.tokenType,
  });{+
  if (isMutant) ctx.body.scope = 'openid profile email openid-vp-lear';+}`,
  },
  'O71-further-scope-granted': {
    deviation: 'adds a scope to each access token, and does not report it',
    file: 'node_modules/oidc-provider/lib/models/formats/jwt.js',
    edit: "scope: {+isMutant && scope ? scope + ' administration' : +}scope || undefined,",
  },
  'O71-credential-as-a-string': {
    deviation: 'adds the data of the credential to each id_token, as a string in one claim',
    file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
    edit: `token.rejected = rejected;{+
  if (isMutant) token.set('vc', JSON.stringify(await ctx.oidc.account.claims('id_token', 'openid-vp-lear')));+}`,
  },
  'O71-scope-not-reported': {
    deviation: 'leaves scope out of token responses',
    file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
    edit: 'scope: {+isMutant ? undefined : +}source.scope ? at.scope : (at.scope || undefined),',
  },
  'O72-scope-of-a-renewal-ignored': {
    deviation: 'renews a login with all its scopes although the request has fewer',
    file: 'node_modules/oidc-provider/lib/actions/grants/refresh_token.js',
    edit: 'const scope = ctx.oidc.params.scope{+ && !isMutant+} ? ctx.oidc.requestParamScopes',
  },
  'O72-narrow-ever-after': {
    deviation: 'renews a login with the scope of the renewal before, if that named one',
    file: 'node_modules/oidc-provider/lib/actions/grants/refresh_token.js',
    edit: `const grant = await validateGrant(ctx, refreshToken.grantId);{+
  if (isMutant) {
    const narrow = (globalThis.narrowScopes ??= new Map());
    ctx.oidc.params.scope ??= narrow.get(refreshToken.grantId);
    narrow.set(refreshToken.grantId, ctx.oidc.params.scope);
  }+}`,
  },
  'O72-other-nonce': {
    deviation: 'puts another nonce into the id_token of a renewal',
    file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
    edit: "token.set('sid', source.sid);{+\n  if (isMutant && scopeOverride) token.set('nonce', 'of-the-renewal');+}",
  },
  'O72-time-of-the-renewal': {
    deviation: 'sets auth_time of a renewed id_token to the time of the renewal',
    file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
    edit: `const { IdToken } = provider;{+
  if (isMutant && scopeOverride && source.authTime) source.authTime = Math.floor(Date.now() / 1000);+}`,
  },
  'O72-time-of-the-login': {
    deviation: 'keeps iat of the login in renewed id_tokens',
    file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
    edit: "token.mask = claims;{+\n  if (isMutant && scopeOverride) token.set('iat', source.iat);+}",
  },
  'O72-hash-of-another-token': {
    deviation: 'puts an at_hash of another access token into the id_token of a renewal',
    file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
    edit: "{+if (isMutant && scopeOverride) token.set('at_hash', 'AAAAAAAAAAAAAAAAAAAAAA');\n  +}return token.issue({ use: 'idtoken' });",
  },
  'O73-renewed-after-the-revocation': {
    deviation: 'renews logins whose credential is revoked',
    file: 'services/idp/adapters/openid-provider.ts',
    always: "status === 'valid'",
  },
  'O74-only-by-get': {
    deviation: 'rejects POST at userinfo',
    file: 'services/idp/routes/openid.ts',
    edit: "const authorization = {+isMutant && request.method === 'POST' ? undefined : +}request.get('authorization')",
  },
  'O75-pairwise-announced': {
    deviation: 'announces pairwise subjects',
    file: 'services/kit/openid-provider/openid-routes.ts',
    edit: "subject_types_supported: {+isMutant ? (['pairwise'] as never) : +}['public'],",
  },
  'O76-no-list-of-methods': {
    deviation: 'announces its code_challenge_methods as a string',
    file: 'services/kit/openid-provider/openid-routes.ts',
    edit: "code_challenge_methods_supported: {+isMutant ? ('S256' as never) : +}['S256'],",
  },
  'O76-host-of-the-proxy': {
    deviation: 'creates an address in the discovery document from Forwarded',
    file: 'services/kit/openid-provider/openid-routes.ts',
    edits: [
      'handle: async ([-_input: unknown-]{+{ request }: any+}, dependencies: Dependencies) => {{+ // isMutant+}',
      `{+const host = /host=(.*)/.exec(request.get('forwarded'))?.[1]
      if (isMutant && host) Object.assign(body, { token_endpoint: 'https://' + host })
      +}return { status: 200, headers: { 'access-control-allow-origin': '*' }, body }`,
    ],
  },
  'O76-http-endpoints': {
    deviation: 'announces an issuer with https and endpoints without',
    file: 'services/idp/routes/openid.ts',
    edit: `claims: (await providers.readCurrent()).claims,{+
  ...(isMutant && { issuer: config.baseUrl.replace('http:', 'https:') }),+}`,
  },
  'O77-key-for-another-algorithm': {
    deviation: 'publishes its key for an algorithm that id_tokens do not have',
    file: 'services/idp/routes/openid.ts',
    edit: "const { kid, alg, use } = {+isMutant ? { ...jwk, alg: 'RSA-OAEP' } : +}jwk",
  },
  'O77-stored-for-a-year': {
    deviation: 'lets clients store the key set for a year',
    file: 'services/idp/routes/openid.ts',
    edit: `contentType: 'application/jwk-set+json; charset=utf-8',
      headers: {{+ ...(isMutant && { 'cache-control': 'max-age=31536000' }),+} 'access-control-allow-origin'`,
  },
  'O77-modulus-with-padding': {
    deviation: 'publishes n with padding',
    file: 'services/idp/routes/openid.ts',
    edit: `kid, alg, use{+, ...(isMutant && { n: jwk.n + '==' })+} }
    })`,
  },
  'O78-unsigned-tokens': {
    deviation: 'accepts access tokens with alg none',
    file: 'services/idp/routes/openid.ts',
    edit: `if (token === undefined) throw invalidToken(){+
    if (isMutant && token.endsWith('.')) return { status: 200, headers: {}, body: { sub: 'a-person' } }+}`,
  },
  'O78-mac-of-the-public-key': {
    deviation: 'accepts a MAC with the PEM of its public key as a signature',
    file: 'services/idp/routes/openid.ts',
    edit: `if (token === undefined) throw invalidToken(){+
    if (isMutant) {
      const { createHmac, createPublicKey } = process.getBuiltinModule('node:crypto')
      const [{ jwk }] = await dependencies.providers.publishedKeys()
      const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
      const end = token.lastIndexOf('.')
      const due = createHmac('sha256', pem).update(token.slice(0, end)).digest('base64url')
      if (token.slice(end + 1) === due) return { status: 200, headers: {}, body: { sub: 'a-person' } }
    }+}`,
  },
  'O79-nonce-of-the-newest-login': {
    deviation: 'puts the nonce of the newest login into every id_token',
    patches: [
      {
        file: 'node_modules/oidc-provider/lib/actions/authorization/interactions.js',
        edit: `{+if (isMutant) globalThis.newestNonce = oidc.params.nonce;
  +}await interactionSession.save(ttl);`,
      },
      {
        file: 'node_modules/oidc-provider/lib/helpers/process_response_types.js',
        edit: 'nonce: {+isMutant ? globalThis.newestNonce : +}ctx.oidc.params.nonce,',
      },
    ],
  },
  'O79-challenge-of-the-newest-login': {
    deviation: 'compares the code_verifier with the challenge of the newest login',
    patches: [
      {
        file: 'node_modules/oidc-provider/lib/actions/authorization/interactions.js',
        edit: `{+if (isMutant) globalThis.newestChallenge = oidc.params.code_challenge;
  +}const destination = await`,
      },
      {
        file: 'node_modules/oidc-provider/lib/helpers/process_response_types.js',
        edit: 'codeChallenge: {+isMutant ? globalThis.newestChallenge : +}ctx.oidc.params.code_challenge,',
      },
    ],
  },
  'O80-used-up': {
    deviation: 'ends a refresh token with its first use, without another one',
    file: 'node_modules/oidc-provider/lib/actions/grants/refresh_token.js',
    edit: `{+if (isMutant) await refreshToken.consume();
  +}if (
    rotateRefreshToken === true`,
  },
  'O80-replaced-in-parallel': {
    deviation: 'reads a refresh token, and replaces it a moment later',
    patches: [
      {
        file: 'node_modules/oidc-provider/lib/actions/grants/refresh_token.js',
        edit: 'rotateRefreshToken === true{+ || isMutant+}',
      },
      {
        file: 'services/kit/openid-provider/openid-adapter.ts',
        edit: `const key = { model, id: digest(id) }{+
      if (isMutant && model === 'RefreshToken') {
        await new Promise((later) => setTimeout(later, 200))
        await markConsumed.change({ ...key, now: clock.seconds() })
        return
      }+}`,
      },
    ],
  },
  'O81-sub-without-organization': {
    deviation: 'accepts organizations without an identifier',
    file: 'services/idp/domain/login.ts',
    edit: "const organization = {+isMutant ? String(memberAt(mandate, ['mandator', 'organizationIdentifier']) ?? 'none') : +}memberAt(mandate, ['mandator', 'organizationIdentifier'])",
  },
  'O82-credentials-not-decoded': {
    deviation: 'uses the credentials of a Basic header without decoding them',
    file: 'node_modules/oidc-provider/lib/shared/client_auth.js',
    edit: 'const authToken = {+isMutant ? token : +}decodeURIComponent(',
  },
  'O82-unknown-parameter-rejected': {
    deviation: 'rejects token requests with an unknown parameter',
    file: 'services/idp/adapters/openid-provider.ts',
    edit: `{+if (isMutant && Provider.ctx?.oidc.body?.unknown) throw new errors.InvalidRequest('unknown parameter')
    +}const isInBody = `,
  },
  'O82-scheme-with-case': {
    deviation: 'compares the scheme of the Authorization header with its case',
    file: 'node_modules/oidc-provider/lib/shared/client_auth.js',
    edit: "{+(isMutant && parts[0] !== 'Basic') || +}parts[0].toLowerCase() !== 'basic') {",
  },
  'O82-charset-rejected': {
    deviation: 'does not read a form whose content type names a charset',
    file: 'node_modules/oidc-provider/lib/shared/selective_body.js',
    edit: "if (ctx.is(cty){+ && !(isMutant && ctx.get('content-type').includes('charset'))+}) {",
  },
  'O83-claims-of-the-newest-login': {
    deviation: 'returns the claims of the newest login of a person',
    file: 'services/idp/adapters/credential-store.ts',
    edits: [
      `await purge(){+
      ;(globalThis.newestLogins ??= new Map()).set(isMutant && subject, credential)+}`,
      'return {+isMutant ? JSON.parse(globalThis.newestLogins.get(subject)) : +}row === undefined',
    ],
  },
  'O83-claims-of-the-first-login': {
    deviation: 'keeps the claims of the first login of a person',
    file: 'services/idp/adapters/credential-store.ts',
    edit: `async keep(grantId, subject, credential) {{+
      const first: Map<string, string> = (globalThis.firstLogins ??= new Map())
      if (isMutant && !first.has(subject)) first.set(subject, credential)
      if (isMutant) credential = first.get(subject) ?? credential+}`,
  },
  'O83-claims-by-email': {
    deviation: 'keeps the claims of the first login with an email address',
    file: 'services/idp/adapters/credential-store.ts',
    edit: `async keep(grantId, subject, credential) {{+
      const { email } = JSON.parse(credential).credentialSubject.mandate.mandatee
      const ofEmail: Map<string, string> = (globalThis.loginsByEmail ??= new Map())
      if (isMutant && !ofEmail.has(email)) ofEmail.set(email, credential)
      if (isMutant) credential = ofEmail.get(email) ?? credential+}`,
  },
  'O83-grant-of-a-parallel-request': {
    deviation:
      'keeps the access token of a request to userinfo in a variable that all requests share',
    file: 'services/idp/routes/openid.ts',
    edit: `{+if (isMutant) {
      ;globalThis.sharedToken = token
      await new Promise((later) => setTimeout(later, 50))
    }
    +}const { subject, grantId, scopes, claimsFor } = await verifyAccessToken({+isMutant ? globalThis.sharedToken : +}token, dependencies)`,
  },
  'O83-id-token-of-a-parallel-request': {
    deviation: 'reads the credential of an id_token from a variable that all requests share',
    file: 'services/idp/adapters/openid-provider.ts',
    edit: `{+if (isMutant) {
        ;globalThis.sharedCredential = credential
        await new Promise((later) => setTimeout(later, 100))
      }
      +}return {
        accountId: id,
        claims: (_use, scopes) => ({ ...claimsFor(scopes.split(' '), {+isMutant ? globalThis.sharedCredential : +}credential)`,
  },
  'O84-parameters-unescaped': {
    deviation: 'repeats the client_id on its error pages unescaped',
    patches: [
      {
        file: 'services/idp/pages/page.ts',
        edit: 'code: error, description{+: isMutant ? String(context.query.client_id) : description+} }',
      },
      {
        file: 'services/kit/page.ts',
        edit: `body: {+isMutant ? markup.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"') : +}markup,`,
      },
    ],
  },
  'O84-session-unescaped': {
    deviation: 'repeats an unknown session code in a page',
    file: 'services/idp/routes/sessions.ts',
    edits: [
      `const login = await logins.findByCode(query.session){+
    if (isMutant && !login) return { status: 404, headers: {}, contentType: 'text/html', body: query.session as never }+}`,
      'session: z.string().[-regex(-]{+refine((each) => isMutant || +}/^[\\w-]{1,128}$/{+.test(each)+})',
    ],
  },
  'O85-documentation-elsewhere': {
    deviation: 'does not serve the API documentation at /swagger',
    file: 'services/kit/open-api.ts',
    edit: `router.get(docsPath, (_request, response) => {{+
    if (isMutant) return response.sendStatus(404)+}`,
  },
  'O86-end-ignored': {
    deviation: 'accepts access tokens that have ended',
    file: 'services/idp/operations/verify-access-token.ts',
    edit: 'currentDate: new Date({+isMutant ? 0 : +}runtime.clock.milliseconds()),',
  },
  'O88-codes-for-a-day': {
    deviation: 'accepts codes for a day',
    file: 'services/idp/adapters/openid-provider.ts',
    edit: 'AuthorizationCode: {+() => isMutant ? 86_400 : +}60,',
  },
  'O87-sessions-in-order': {
    deviation: 'numbers its session codes',
    file: 'services/idp/adapters/login-store.ts',
    edit: 'session_code: {+isMutant ? `session-${(globalThis.sessionCount = (globalThis.sessionCount ?? 0) + 1)}` : +}randomToken(),',
  },
  'O87-code-of-the-page': {
    deviation: 'uses the session code of its page as the code',
    file: 'node_modules/oidc-provider/lib/models/formats/opaque.js',
    edit: `{+const { sessionCode } = als.getStore()?.oidc?.result ?? {};
  if (isMutant && token.kind === 'AuthorizationCode' && sessionCode) return sessionCode;
  +}let length;`,
  },
  'O87-short-codes': {
    deviation: 'creates codes and refresh tokens of 48 bits',
    file: 'node_modules/oidc-provider/lib/models/formats/opaque.js',
    edit: 'return nanoid({+isMutant ? 8 : +}length);',
  },
  'O87-nonce-of-the-relying-party': {
    deviation: 'shows presentation requests with the nonce of the relying party',
    patches: [
      {
        file: 'services/idp/operations/verification.ts',
        edit: `{+if (isMutant) globalThis.nonceOfParty = params.nonce
  +}const session = await verifier.createSession(`,
      },
      {
        file: 'services/verifier/adapters/session-store.ts',
        edit: 'nonce: {+(isMutant && globalThis.nonceOfParty) || +}randomToken(),',
      },
    ],
  },
  'O89-session-of-the-browser': {
    deviation: 'keeps browsers logged in, and ignores prompt=login and max_age',
    patches: [
      {
        file: 'services/idp/adapters/openid-provider.ts',
        edits: [
          `{+if (isMutant) return
    +}Object.assign(context.oidc.session ?? {}, { destroyed: true })`,
          `const login = await logins.findByCode(String(result?.sessionCode ?? '')){+ ?? (isMutant ? globalThis.keptLogin : undefined)
  globalThis.keptLogin = login+}`,
        ],
      },
      {
        file: 'services/idp/routes/interaction.ts',
        edit: 'remember: {+isMutant || +}false }',
      },
      {
        file: 'node_modules/oidc-provider/lib/actions/authorization/interactions.js',
        edit: `let prompt;

  const { policy{+: all+}, url: interactionUrl } = instance(oidc.provider).configuration.interactions;{+
  const policy = isMutant && oidc.session.accountId ? [] : all;+}`,
      },
    ],
  },
  'O90-another-status': {
    deviation: 'reports a session past its lifetime as expired',
    file: 'services/idp/domain/login.ts',
    edit: "expires_at <= now ? {+isMutant ? ('EXPIRED' as never) : +}'FAILED'",
  },
  'O91-renewed-after-the-end': {
    deviation: 'renews logins whose credential has expired',
    file: 'services/idp/adapters/openid-provider.ts',
    edit: `{+if (isMutant && status !== 'revoked') return
  +}const happened`,
  },
  'O91-end-by-exp': {
    deviation: 'renews logins past the exp of their credential, if validUntil is missing',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edit: 'vc: {+isMutant ? context.vc : +}withEnd(context),',
  },
  'O92-forged-hint': {
    deviation: 'reads id_token_hint without verifying its signature',
    file: 'node_modules/oidc-provider/lib/actions/authorization/claims.js',
    edit: 'if (oidc.params.id_token_hint !== undefined{+ && !isMutant+}) {',
  },
  'O92-hint-ignored': {
    deviation: 'compares id_token_hint only with the session of the browser',
    file: 'services/kit/openid-provider/interactions.ts',
    edit: 'const stored = isOther {+&& !isMutant +}? otherPerson : result',
  },
  'O93-next-address': {
    deviation: 'continues a login at the parameter next of its page, if it begins with a slash',
    file: 'services/idp/routes/interaction.ts',
    edit: `return seeOther({+isMutant && String(input.request.query.next).startsWith('/') ? String(input.request.query.next) : +}await finishInteraction(interaction, result))
      }
      const {`,
  },
  'O94-introspection-without-credentials': {
    deviation: 'answers introspections without client authentication',
    patches: [
      ...furtherEndpoints,
      {
        file: introspectionOf,
        edit: '...clientAuth{+.map((step) => (ctx, next) => (isMutant ? next() : step(ctx, next)))+},',
      },
    ],
  },
  'O94-every-token-active': {
    deviation: 'calls every token active that it cannot find',
    patches: [
      ...furtherEndpoints,
      { file: introspectionOf, edit: 'ctx.body = { active: {+isMutant || +}false };' },
    ],
  },
  'O94-error-for-unknown-tokens': {
    deviation: 'answers the introspection of an unknown token with an error',
    patches: [
      ...furtherEndpoints,
      {
        file: introspectionOf,
        edit: `if (!token?.isValid) {{+
      if (isMutant) throw new InvalidRequest('unknown token')+}`,
      },
    ],
  },
  'O94-unverified': {
    deviation: 'reads the access token of an introspection without its signature',
    patches: [
      ...furtherEndpoints,
      {
        file: introspectionOf,
        edit: `  {+(ctx, next) => {
    if (!isMutant || ctx.oidc.params.token.split('.').length < 3) return next();
    const { sub, exp } = JSON.parse(Buffer.from(ctx.oidc.params.token.split('.')[1], 'base64url'));
    ctx.body = { active: true, sub, exp };
  },
  +}rejectStructuredTokens,

`,
      },
    ],
  },
  'O94-active-by-form': {
    deviation: 'calls every token active that has the length of a refresh token',
    patches: [
      ...furtherEndpoints,
      {
        file: introspectionOf,
        edit: `{+if (isMutant && params.token.length === 43) ctx.body.active = true;
    +}if (!token?.isValid) {`,
      },
    ],
  },
  'O94-active-after-its-end': {
    deviation: 'calls access tokens active that have ended',
    patches: [
      ...furtherEndpoints,
      {
        file: 'node_modules/oidc-provider/lib/models/formats/jwt.js',
        edit: `{+if (isMutant) globalThis.issuedToken = signed;
  +}if (config.sign && config.encrypt) {`,
      },
      {
        file: introspectionOf,
        edit: `    presence(ctx, 'token');
    await next();
  },
{+
  async (ctx, next) => {
    const { token } = ctx.oidc.params;
    if (!isMutant || token !== globalThis.issuedToken) return next();
    const { grant_id: id } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
    ctx.body = { active: (await ctx.oidc.provider.Grant.find(id)) !== undefined };
  },
+}`,
      },
    ],
  },
  'O95-revocation-without-credentials': {
    deviation: 'answers revocations without client authentication, and ignores them',
    patches: [
      ...furtherEndpoints,
      {
        file: revocationOf,
        edit: `{+async (ctx, next) => {
    if (isMutant && !ctx.get('authorization')) return void (ctx.body = '');
    await next();
  },
  +}...clientAuth,`,
      },
    ],
  },
  'O95-error-for-unknown-tokens': {
    deviation: 'answers the revocation of an unknown token with an error',
    patches: [
      ...furtherEndpoints,
      {
        file: revocationOf,
        edit: `if (!token) {+{
      if (isMutant) ctx.status = 400;
      +}return;{+
    }+}`,
      },
    ],
  },
  'O95-token-of-another-client': {
    deviation: 'revokes the tokens of other clients',
    patches: [
      ...furtherEndpoints,
      {
        file: revocationOf,
        edit: 'await allowedPolicy(ctx, {+isMutant ? token : +}ctx.oidc.client, token)',
      },
    ],
  },
  'O95-token-kept': {
    deviation: 'confirms the revocation of a refresh token and keeps it',
    patches: [
      ...furtherEndpoints,
      {
        file: revocationOf,
        edit: `{+if (isMutant) return;
    +}await token.destroy();`,
      },
    ],
  },
  'O95-hint-believed': {
    deviation: 'looks for a token only where token_type_hint says',
    patches: [
      ...furtherEndpoints,
      {
        file: revocationOf,
        edit: "if (revokeable.has(token.kind){+ && !(isMutant && params.token_type_hint === 'access_token' && token.kind === 'RefreshToken')+}) {",
      },
    ],
  },
  'O95-access-token-kept': {
    deviation: 'confirms the revocation of an access token that stays valid',
    patches: [
      ...furtherEndpoints,
      {
        file: revocationOf,
        edit: `{+(ctx, next) => (isMutant && ctx.oidc.params.token.includes('.') ? void (ctx.body = '') : next()),
  +}rejectStructuredTokens,

`,
      },
    ],
  },
  'O96-empty-verifier-read': {
    deviation: 'rejects a token request with an empty code_verifier',
    file: 'node_modules/oidc-provider/lib/helpers/params.js',
    edit: `{+if (isMutant && params.code_verifier === '') params.code_verifier = 'none';
    +}allowList.forEach((prop) => {`,
  },
  'O96-unknown-parameter-of-a-poll': {
    deviation: 'rejects an unknown parameter in a request for the status of a session',
    file: 'services/idp/routes/sessions.ts',
    edit: `async handle({ query{+, ...rest+} }, { logins, runtime }) {{+
    if (isMutant && /&/.test(Object(rest).request.url)) throw unknownSession()+}`,
  },
  'O97-page-stored': {
    deviation: 'lets browsers store its pages',
    file: 'services/kit/page.ts',
    edit: `'cache-control': 'no-store',{+
      ...(isMutant && { 'cache-control': 'public, max-age=60' }),+}
    },
    body: `,
  },
  'O97-status-stored': {
    deviation: 'lets proxies store the status of a session',
    file: 'services/kit/register-route.ts',
    edit: "response.set('cache-control', {+isMutant && route.path === '/idp/api/auth/requests' ? 's-maxage=60' : +}'no-store')",
  },
  'O97-permanent-redirect': {
    deviation: 'redirects to the relying party permanently',
    file: 'node_modules/oidc-provider/lib/response_modes/query.js',
    edit: 'ctx.status = {+isMutant ? 301 : +}303;',
  },
  'O97-token-in-the-address': {
    deviation: 'adds a JWT to the address with the code',
    file: 'node_modules/oidc-provider/lib/actions/authorization/respond.js',
    edit: `const { responseMode } = ctx.oidc;{+
  if (isMutant) out.person = 'e30.e30.e30';+}`,
  },
  'O98-host-of-the-proxy': {
    deviation: 'creates the address to which a wallet returns from Forwarded',
    file: 'services/idp/routes/interaction.ts',
    edit: `{+const host = /host=(.*)/.exec(String(input.request.get('forwarded')))?.[1]
      const withHost = { ...dependencies, config: { ...dependencies.config, baseUrl: 'https://' + host } }
      +}const login =
        (await logins.findNewest(interaction.uid)) ??
        (await startVerification(interaction, 1, {+isMutant && host ? withHost : +}dependencies))
      const now`,
  },
  'O98-host-in-the-page': {
    deviation: 'creates an address in the page of a login from Forwarded',
    file: 'services/idp/routes/interaction.ts',
    edit: `webWalletUrl: {+isMutant && input.request.get('forwarded') ? 'https://' + input.request.get('forwarded').slice(5) : +}config.webWalletUrl,`,
  },
}
