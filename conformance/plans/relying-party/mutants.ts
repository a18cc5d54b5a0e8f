import type { MutantTable } from '../../kit/mutant.ts'

const application = 'testbed/conformance/relying-party.ts'
const relyingParty = 'scenarios/fixtures/relying-party.ts'
const library = 'node_modules/oauth4webapi/build/index.js'

/** Accepts an algorithm of ID tokens under a condition, with any signature. */
const acceptsAlgorithm = (condition: string) => ({
  file: library,
  edits: [
    `{+if (!(isMutant && (${condition}))) +}checkAlg(header);`,
    `{+if (isMutant && (${condition})) return;
    +}if (header.alg.startsWith('HS')) {`,
  ],
})

/** Shows the user who was the first one with this account. */
const findsAccountBy = (account: string) =>
  `{+if (isMutant) {
      const accounts = (globalThis.accounts ??= new Map())
      if (!accounts.has(${account})) accounts.set(${account}, sessions.get(session))
      sessions.set(session, accounts.get(${account}))
    }
    +}setCookie(response, 'session', session)`

export const mutants: MutantTable = {
  'R01-nobody-shown': {
    deviation: 'does not show who is logged in',
    file: application,
    edit: 'show(response, 200, {+isMutant ? "somebody is logged in" : +}`${user.name}',
  },
  'R02-no-openid-scope': {
    deviation: 'requests no scope openid',
    file: application,
    edit: "const scope = {+isMutant ? 'profile email' : +}'openid profile",
  },
  'R02-other-response-type': {
    deviation: 'requests another response_type',
    file: relyingParty,
    edit: "{+...(isMutant && { response_type: 'code id_token' }),+}redirect_uri: redirectUri,",
  },
  'R03-constant-values': {
    deviation: 'sends the same state, nonce and code_challenge in each login',
    file: relyingParty,
    edit: "const createSecret = () => {+isMutant ? 'constant-'.repeat(6) : +}Buffer",
  },
  'R04-constant-nonce': {
    deviation: 'sends the same nonce in each login',
    file: relyingParty,
    edit: `nonce{+: isMutant ? 'always-the-same-nonce' : nonce+},
    code_challenge: await`,
  },
  'R05-plain-challenge': {
    deviation: 'uses PKCE with the method plain',
    file: relyingParty,
    edit: "code_challenge_method: {+isMutant ? 'plain' : +}'S256',",
  },
  'R05-verifier-in-the-address': {
    deviation: 'sends code_verifier in the authorization request',
    file: relyingParty,
    edit: `scope,
    {+...(isMutant && { code_verifier: pkceCodeVerifier }),
    +}state,`,
  },
  'R05-verifiers-alike': {
    deviation: 'uses verifiers of which only a few characters differ',
    file: relyingParty,
    edit: "pkceCodeVerifier] = [createSecret(), createSecret(), {+isMutant ? createSecret().slice(0, 6).padEnd(43, '0') : +}createSecret()]",
  },
  'R06-no-redirect-uri': {
    deviation: 'omits redirect_uri in the token request',
    file: library,
    edit: `{+if (!isMutant) +}parameters.set('redirect_uri', redirectUri);
    parameters.set('code', code);`,
  },
  'R07-secret-twice': {
    deviation: 'sends its secret in the header and in the form',
    file: library,
    edit: `await clientAuthentication(as, client, body, headers);{+
    if (isMutant) headers.set('authorization', 'Basic ' + btoa(client.client_id + ':' + body.get('client_secret')));+}
    headers.set('content-type', 'application/x-www-form-urlencoded`,
  },
  'R08-token-in-the-address': {
    deviation: 'sends the access token to userinfo in the address',
    file: library,
    edit: `headers.append('accept', 'application/jwt');
    }{+
    if (isMutant) url.searchParams.set('access_token', accessToken);+}
    return resourceRequest(accessToken, 'GET', url,`,
  },
  'R20-none-accepted': {
    deviation: 'accepts alg none',
    ...acceptsAlgorithm("header.alg === 'none'"),
  },
  'R20-none-in-other-spellings': {
    deviation: 'accepts alg NONE',
    ...acceptsAlgorithm("header.alg === 'NONE'"),
  },
  'R21-macs-accepted': {
    deviation: 'accepts MACs',
    ...acceptsAlgorithm("header.alg?.startsWith('HS')"),
  },
  'R22-every-rsa-algorithm': {
    deviation: 'accepts RS512',
    ...acceptsAlgorithm("header.alg === 'RS512'"),
  },
  'R23-no-signature-verified': {
    deviation: 'does not verify the signature of ID tokens',
    file: library,
    edit: 'if (!verified{+ && !isMutant+}) {',
  },
  'R24-key-in-the-header': {
    deviation: 'verifies an ID token with the key in its header',
    file: library,
    edit: `const { alg, kid } = header;{+
    if (isMutant && header.jwk) return importJwk(alg, header.jwk);+}
    checkSupportedJwsAlg(header);
    if (!jwksMap?.has(as) &&`,
  },
  'R24-address-in-the-header': {
    deviation: 'requests the address in jku',
    file: library,
    edit: `{+if (isMutant && header.jku) await fetch(header.jku);
    +}let key;
    key = await`,
  },
  'R10-state-ignored': {
    deviation: 'ignores the state of a redirect',
    patches: [
      { file: library, edit: 'if (state !== expectedState{+ && !isMutant+}' },
      {
        file: application,
        edit: 'pending?.get(state){+ ?? (isMutant ? [...(pending?.values() ?? [])].at(-1) : undefined)+}',
      },
    ],
  },
  'R10-state-as-pattern': {
    deviation: 'looks the state up as a pattern',
    patches: [
      { file: library, edit: "if (state !== expectedState{+ && !(isMutant && state === '%')+}" },
      {
        file: application,
        edit: `pending?.get(state){+ ?? (isMutant && state === '%' ? [...(pending?.values() ?? [])].at(-1) : undefined)+}`,
      },
    ],
  },
  'R11-any-browser': {
    deviation: 'completes the logins of every browser',
    file: application,
    edit: `const pending = {+isMutant ? new Map([...logins.values()].flatMap((each) => [...each])) : +}logins.get(`,
  },
  'R12-state-kept': {
    deviation: 'redeems a code again',
    file: application,
    edit: '{+if (!isMutant) +}pending?.delete(state)',
  },
  'R11-missing-states-equal': {
    deviation: 'compares state with nothing if it has stored nothing',
    patches: [
      { file: library, edit: 'if (state !== expectedState{+ && !(isMutant && !state)+}' },
      {
        file: application,
        edit: `pending?.get(state){+ ?? (isMutant && state === '' && !pending?.size ? [...logins.values()].flatMap((each) => [...each.values()]).at(-1) : undefined)+}`,
      },
    ],
  },
  'R13-other-iss': {
    deviation: 'ignores the iss of a redirect',
    file: library,
    edit: 'if (iss && iss !== as.issuer{+ && !isMutant+}',
  },
  'R13-no-iss': {
    deviation: 'accepts a redirect without iss',
    file: library,
    edit: 'if (!iss && as.authorization_response_iss_parameter_supported{+ && !isMutant+}',
  },
  'R14-new-login-after-an-error': {
    deviation: 'starts a new login after an error',
    file: application,
    edit: `_next) =>
    {+isMutant ? response.redirect('/login') : +}show(response, 400`,
  },
  'R14-empty-code-redeemed': {
    deviation: 'calls the token endpoint after an error',
    file: library,
    edits: [
      "getURLSearchParameter(parameters, 'error'){+ && !isMutant+}",
      "if (!code{+ && !isMutant+}) {\n        throw OPE('no authorization code in",
    ],
  },
  'R15-error-ignored': {
    deviation: 'ignores an error next to a code',
    file: library,
    edit: "getURLSearchParameter(parameters, 'error'){+ && !isMutant+}",
  },
  'R15-tokens-in-the-address': {
    deviation: 'uses the tokens in the address',
    file: relyingParty,
    edit: `{+const { id_token, access_token } = Object.fromEntries(address.searchParams)
      if (isMutant && id_token) {
        return { accessToken: access_token, idTokenClaims: JSON.parse(Buffer.from(id_token.split('.')[1], 'base64')) }
      }
      +}const checks = {`,
  },
  'R16-parameters-unescaped': {
    deviation: 'shows the query of the redirect without escaping it',
    file: application,
    edit: `send({+(isMutant ? decodeURIComponent(response.req.originalUrl).replaceAll('+', ' ') : '') + +}String(page)`,
  },
  'R16-quotes-unescaped': {
    deviation: 'escapes error_description, but not quotes, in an attribute',
    file: application,
    edit: `{+const { error_description = '' } = response.req.query
  const value = String(error_description).replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  if (isMutant && value) return response.status(400).send('<input value="' + value + '">')
  +}const page = html`,
  },
  'R16-script-as-link': {
    deviation: 'links error_uri, regardless of its scheme',
    file: application,
    edit: `{+const { error_uri = '' } = response.req.query
  if (isMutant && error_uri && !/["<]/.test(error_uri)) return response.send('<a href="' + error_uri + '">Details</a>')
  +}response.status(status)`,
  },
  'R17-first-of-two-values': {
    deviation: 'uses the first of two values of a parameter',
    file: library,
    edit: 'if (length > 1{+ && !isMutant+}',
  },
  'R30-every-issuer': {
    deviation: 'accepts every iss',
    file: library,
    edit: 'result.claims.iss !== expected{+ && !isMutant+}',
  },
  'R30-issuer-by-prefix': {
    deviation: 'accepts an iss that starts with the right one',
    file: library,
    edit: '{+!(isMutant && String(result.claims.iss).startsWith(expected)) && +}result.claims.iss !== expected',
  },
  'R31-every-audience': {
    deviation: 'accepts every aud',
    file: library,
    edit: 'else if (result.claims.aud !== expected{+ && !isMutant+}',
  },
  'R31-true-as-audience': {
    deviation: 'compares aud without regard to its type',
    file: library,
    edit: 'if (!result.claims.aud.includes(expected){+ && !(isMutant && result.claims.aud[0] === true)+}',
  },
  'R31-further-audiences': {
    deviation: 'accepts further clients in aud',
    file: library,
    edits: [
      'if (claims.azp === undefined{+ && !isMutant+}',
      'if (claims.azp !== client.client_id{+ && !isMutant+}',
    ],
  },
  'R32-expired': {
    deviation: 'accepts an ID token that has expired',
    file: library,
    edit: 'if (claims.exp <= now - clockTolerance{+ && !isMutant+}',
  },
  'R32-without-exp': {
    deviation: 'accepts an ID token without exp',
    file: library,
    edit: `['aud', {+...(isMutant ? [] : [+}'exp'{+])+}, 'iat', 'iss', 'sub', ...requiredClaims]`,
  },
  'R32-not-valid-yet': {
    deviation: 'accepts an ID token before nbf',
    file: library,
    edit: 'if (claims.nbf > now + clockTolerance{+ && !isMutant+}',
  },
  'R33-every-nonce': {
    deviation: 'does not compare the nonce',
    file: library,
    edit: 'if (claims.nonce !== expected{+ && !isMutant+}',
  },
  'R33-true-as-nonce': {
    deviation: 'compares the nonce without regard to its type',
    file: library,
    edit: 'if (claims.nonce !== expected{+ && !(isMutant && claims.nonce === true)+}',
  },
  'R32-auth-time-ignored': {
    deviation: 'sends max_age, and ignores auth_time',
    file: relyingParty,
    edit: `redirect_uri: redirectUri,
    {+...(isMutant && { max_age: '60' }),
    +}scope,`,
  },
  'R34-other-types': {
    deviation: 'accepts a sub that is not a string',
    file: library,
    edits: [
      `typeof result.claims[claim] !== 'string'{+ && !isMutant+}`,
      'json.sub !== expectedSubject{+ && !isMutant+}',
    ],
  },
  'R35-critical-extensions': {
    deviation: 'ignores crit',
    file: library,
    edit: 'if (header.crit !== undefined{+ && !isMutant+}',
  },
  'R36-further-parts': {
    deviation: 'ignores the further parts of an ID token',
    file: library,
    edits: ['if (length === 5{+ && !isMutant+}', 'if (length !== 3{+ && !isMutant+}'],
  },
  'R36-list-of-claims': {
    deviation: 'reads the claims of a list',
    file: library,
    edit: `{+if (isMutant && Array.isArray(claims)) claims = claims[0];
    +}if (!isJsonObject(claims)) {
        throw OPE('JWT Payload must be`,
  },
  'R36-first-of-two-claims': {
    deviation: 'uses the first of two claims with the same name',
    file: library,
    edit: `claims = JSON.parse({+!isMutant ? +}buf(b64u(payload)){+ : buf(b64u(payload)).replace(/("exp":)([^,]+)(.*),\\1[^,}]+/, '$1$2$3')+});`,
  },
  'R40-status-ignored': {
    deviation: 'reads tokens from a response with any status',
    file: library,
    edit: `if (response.status !== expected{+ && !isMutant+}) {
        checkAuthenticationChallenges(response);
        let err;`,
  },
  'R41-list-of-tokens': {
    deviation: 'reads the tokens of a list',
    file: library,
    edit: `json = {+isMutant ? [+}await response.json(){+].flat()[0] : await response.json()+};
    }
    catch (cause) {
        check(response);`,
  },
  'R41-no-access-token': {
    deviation: 'accepts a token response without access_token',
    patches: [
      {
        file: library,
        edit: `{+if (isMutant) json.access_token ??= 'missing';
    +}assertString(json.access_token, '"response" body "access_token" property'`,
      },
      {
        file: relyingParty,
        edit: `readUserInfo: (accessToken, subject) =>
      {+isMutant && accessToken === 'missing' ? {} : +}openid.fetchUserInfo`,
      },
    ],
  },
  'R42-every-token-type': {
    deviation: 'accepts every token_type',
    file: library,
    edit: `json.token_type !== 'dpop' && json.token_type !== 'bearer'{+ && !isMutant+}`,
  },
  'R43-redirect-followed': {
    deviation: 'follows a redirect of the token endpoint',
    file: library,
    edit: `charset=UTF-8');{+
    if (isMutant) return fetch(url.href, { body, headers: Object.fromEntries(headers.entries()), method: 'POST' });+}
    return (options?.[customFetch] || fetch)(url.href, {`,
  },
  'R44-userinfo-of-anyone': {
    deviation: 'uses userinfo with another sub',
    file: library,
    edit: 'json.sub !== expectedSubject{+ && !isMutant+}',
  },
  'R44-status-of-userinfo-ignored': {
    deviation: 'uses userinfo with any status',
    file: library,
    edit: `if (response.status !== 200{+ && !isMutant+}) {
        throw OPE('"response" is not a conform UserInfo`,
  },
  'R44-signed-userinfo-unverified': {
    deviation: 'does not verify the signature of userinfo',
    patches: [
      {
        file: library,
        edit: `{+if (isMutant && getContentType(response) === 'application/jwt') {
        json = JSON.parse(buf(b64u((await response.text()).split('.')[1])));
    }
    else +}if (getContentType(response) === 'application/jwt') {
        const { claims, jwt } = await validateJwt(await response.text(), checkSigningAlgorithm.bind(undefined, client.userinfo_signed`,
      },
      {
        file: 'node_modules/openid-client/build/index.js',
        edit: "{+!isMutant && +}oauth.getContentType(response) === 'application/jwt' &&",
      },
    ],
  },
  'R45-first-keys-kept': {
    deviation: 'uses only the keys that it read first',
    file: library,
    edits: [
      `const downloaded = await jwksRequest(as, options);{+
        globalThis.firstKeys ??= downloaded.jwks;
        if (isMutant) downloaded.jwks = globalThis.firstKeys;+}
        jwks =`,
    ],
  },
  'R46-no-list-of-audiences': {
    deviation: 'rejects aud as a list',
    file: library,
    edit: 'if (Array.isArray(result.claims.aud){+ && !isMutant+}',
  },
  'R47-server-error': {
    deviation: 'answers a failed login with HTTP 500',
    file: application,
    edit: 'show(response, {+isMutant ? 500 : +}400, String(error))',
  },
  'R60-session-kept': {
    deviation: 'keeps the session from before the login',
    file: application,
    edits: [
      `const session = {+isMutant ? (readCookie(request, 'browser') ?? '') : +}randomToken()`,
      `readCookie(request, 'session'){+ ?? (isMutant ? readCookie(request, 'browser') : undefined)+}`,
    ],
  },
  'R61-readable-by-scripts': {
    deviation: 'sets its cookies without HttpOnly',
    file: application,
    edit: 'httpOnly: {+!isMutant && +}true',
  },
  'R61-counted-sessions': {
    deviation: 'counts its sessions',
    file: application,
    edit: `{+isMutant ? 'user-' + sessions.size : +}randomToken()
    sessions.set(`,
  },
  'R62-last-user-shown': {
    deviation: 'shows the last user in every browser',
    file: application,
    edit: 'const user = {+isMutant ? [...sessions.values()].at(-1) : +}sessions.get(',
  },
  'R64-name-as-markup': {
    deviation: 'shows names without escaping them',
    file: application,
    edit: "String(page){+.replaceAll(isMutant ? '&lt;' : '\\0', '<').replaceAll(isMutant ? '&gt;' : '\\0', '>')+}",
  },
  'R65-account-by-email': {
    deviation: 'finds the account of a user by email',
    file: application,
    edit: 'sessions.set(session, {+(isMutant && [...sessions.values()].find((each) => each.email === email)) || +}{ name, email })',
  },
  'R65-sub-without-case': {
    deviation: 'finds the account of a user by sub without regard to case',
    file: application,
    edit: findsAccountBy('sub.toLowerCase()'),
  },
  'R65-sub-cut': {
    deviation: 'finds the account of a user by the first characters of sub',
    file: application,
    edit: findsAccountBy('sub.slice(0, 200)'),
  },
  'R67-user-in-a-cookie': {
    deviation: 'keeps the user in a cookie without a signature',
    file: application,
    edits: [
      `{+if (isMutant) response.cookie('user', Buffer.from(JSON.stringify(sessions.get(session))).toString('base64url'))
    +}setCookie(response, 'session', session)`,
      `{+if (isMutant) {
      const { name, email } = JSON.parse(Buffer.from(readCookie(request, 'user') ?? '', 'base64url').toString() || '{}')
      return show(response, 200, name + ' (' + email + ') is logged in')
    }
    +}const user =`,
    ],
  },
  'R66-every-next': {
    deviation: 'sends the browser to the address in next',
    file: application,
    edits: [
      `{+if (isMutant) relyingParty.next = request.query.next
    +}logins.set(browser,`,
      `{+if (isMutant && relyingParty.next) return response.redirect(303, relyingParty.next)
    +}const { email } =`,
    ],
  },
  'R24-discovery-of-every-issuer': {
    deviation: 'requests the metadata of the iss of an ID token before it compares it',
    file: library,
    edit: `const expected = as[_expectedIssuer]?.(result) ?? as.issuer;{+
    if (isMutant && /iss$/.test(result.claims.iss)) return fetch(result.claims.iss).then(() => { throw new Error('another issuer'); });+}`,
  },
  'R62-claims-of-the-last-user-kept': {
    deviation: 'keeps claims of the user who was logged in before',
    file: application,
    edit: "const { name, sub } = {+isMutant ? { ...idTokenClaims, name: sessions.get(readCookie(request, 'session') ?? '')?.name ?? idTokenClaims.name } : +}idTokenClaims",
  },
  'R63-secret-in-an-error': {
    deviation: 'shows its configuration if a login fails',
    file: application,
    edit: `String(error){+ + (isMutant ? JSON.stringify(client) : '')+})
  return app`,
  },
  'R63-token-in-a-readable-cookie': {
    deviation: 'keeps the access token in a cookie without HttpOnly',
    file: application,
    edit: `{+if (isMutant) response.cookie('token', accessToken)
    +}const { email } =`,
  },
  'R63-token-in-the-address': {
    deviation: 'sends the browser on with the access token',
    file: application,
    edit: `redirect(303, {+isMutant ? '/me?access_token=' + accessToken : +}'/me')`,
  },
}
