import type { HttpRequest } from '#scenarios/harness/http-client.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { broken, defineChecks, held, inconclusive, wronglyAccepted } from '../../../kit/check.ts'
import {
  asPremise,
  findRefusal,
  requireFinding,
  requireJson,
} from '../../../kit/classify-answer.ts'
import { dueCases, findEach } from '../../../kit/find-each.ts'
import { nearMisses, nearMissesOf, spaceAtEnd } from '../../../kit/near-misses.ts'
import { publishStatusList, type StatusListOptions } from '../../../world/publish-status-list.ts'
import type { PresentationOptions } from '../../verifier/context.ts'
import { withDefect } from '../../verifier/presentation-checks.ts'
import type { IdpContext, TokenAnswer } from '../context.ts'
import { readUserinfo, requireUserinfo, tamperWith } from '../read-tokens.ts'

/** Status lists that prove nothing. */
const unusableLists: Readonly<Record<string, StatusListOptions>> = {
  'that another key signed': { signer: ({ tao }) => tao },
  'that has ended': { vc: (now) => ({ validUntil: new Date((now - 60) * 1000).toISOString() }) },
  'that is not a token': { afterwards: () => 'no list' },
}

interface TokenCase extends Pick<HttpRequest, 'headers'> {
  readonly what: string
  readonly url: string
  /** Whether a wrong acceptance is a warning. */
  readonly isPractice?: boolean
}

/** Seconds: RFC 7519 tolerates a few minutes, and some libraries five. */
const tolerance = 360

/** Seconds for which RFC 6749 recommends that a code is valid at most. */
const longestCode = 600

/** Tokens and codes in the wrong hands, used again, changed, or too late. */
export const checks = defineChecks<IdpContext>({
  'O45-tampered-access-token': {
    title: 'userinfo rejects a changed access token',
    level: 'spec',
    expectation: 'refuse',
    needs: ['wallet-login'],
    rows: ['1.endpoints/credential-idp.6', '1.authentication.4'],
    clauses: ['RFC 6750, 3.1'],
    description:
      'An IDP that reads the claims of an access token without its signature shows the data of any person.',
    sends:
      'GET userinfo with the access token of a login, then with changed ones: another subject, another signature, none, alg none, other lengths, another spelling, a fourth part, as Basic, and in the query.',
    decides:
      'The first is accepted, each other one is rejected. Accepting the token in another spelling, with a fourth part or in the query, and a status other than 400 or 401, is a warning.',
    fix: 'Verify the signature of the access token with the published key and only RS256, before you read its claims. Read it only from the header Authorization.',
    async run(context) {
      const { url, tokens } = await requireUserinfo(context)
      const token = String(tokens.access_token)
      const headers = (authorization: string) => ({ headers: { authorization } })
      const all: readonly TokenCase[] = [
        ...tamperWith(token).map(({ token: changed, ...each }) => ({
          ...each,
          url,
          ...headers(`Bearer ${changed}`),
        })),
        ...nearMisses.slice(0, 3).map(({ what, change }) => ({
          what: `An access token that ${what}`,
          url,
          ...headers(`Bearer ${change(token)}`),
        })),
        { what: 'An access token as Basic credentials', url, ...headers(`Basic ${token}`) },
        { what: 'An empty access token', url, ...headers('Bearer ') },
        {
          what: 'An access token with a fourth part',
          url,
          ...headers(`Bearer ${token}.e30`),
          isPractice: true,
        },
        {
          what: 'An access token in the query',
          url: `${url}?access_token=${token}`,
          isPractice: true,
        },
      ]
      return findEach(
        dueCases(context, all),
        async ({ what, url: address, isPractice, ...request }: TokenCase) => {
          const answer = await context.httpAs('relying-party').request(address, request)
          const finding = findRefusal(answer, {
            what,
            statuses: [400, 401],
            statusLevel: 'practice',
          })
          const isLower = isPractice && finding.kind === 'broken'
          return isLower ? { ...finding, level: 'practice' as const } : finding
        },
      )
    },
  },
  'O86-expired-access-token': {
    title: 'userinfo rejects an access token after expires_in',
    level: 'final',
    expectation: 'refuse',
    needs: ['wallet-login', 'clock'],
    rows: ['1.endpoints/credential-idp.20', '1.limits.2'],
    clauses: ['RFC 6749, 5.1', 'RFC 6750, 3.1'],
    description:
      'Access tokens are kept in logs and caches. If they do not end, they show the claims of a person to anyone who finds them later.',
    sends:
      'GET userinfo with the access token of a login, before and after the clock of the IDP is moved ahead by expires_in and six minutes.',
    decides: 'The token is accepted before, and rejected with 401 afterwards.',
    fix: 'Compare exp of the access token with the current time at userinfo, in seconds. If it has passed, return 401 invalid_token.',
    async run(context) {
      const { url, tokens } = await requireUserinfo(context)
      const lifetime = Number(tokens.expires_in)
      if (!(lifetime > 0)) return inconclusive('The token has no expires_in: see O02.')
      await context.advanceClock(Math.ceil(lifetime) + tolerance)
      const headers = { authorization: `Bearer ${tokens.access_token}` }
      const asking = context.httpAs('relying-party').request(url, { headers })
      const answer = await asking.finally(context.resetClock)
      return findRefusal(answer, { what: 'An access token after expires_in', statuses: [401] })
    },
  },
  'O88-expired-code': {
    title: 'A code is rejected ten minutes after its login',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    needs: ['wallet-login', 'clock'],
    clauses: ['RFC 6749, 4.1.2'],
    description:
      'Codes are in the history of browsers and in logs. RFC 6749 recommends that they end after ten minutes at most.',
    sends:
      'A login whose code is redeemed after the clock of the IDP is moved ahead by ten minutes and a tolerance of six.',
    decides: 'The code is rejected with a 4xx, in OAuth with invalid_grant.',
    fix: 'Store the time of each code, and reject it with 400 invalid_grant after a minute or a few, at most after ten minutes.',
    async run(context) {
      const login = await asPremise('a login (see O02)', context.logIn())
      await context.advanceClock(longestCode + tolerance)
      const asking = context.requestTokens(context.codeForm(login), context.target.client)
      const answer = await asking.finally(context.resetClock)
      return findRefusal(answer, {
        what: 'A code that is sixteen minutes old',
        errors: ['invalid_grant'],
      })
    },
  },
  'O46-reuse-ends-the-login': {
    title: 'A code that is used twice ends the login',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['RFC 6749, 4.1.2'],
    description:
      'If a code arrives twice, one of the two senders is an attacker. The tokens may be in their hands.',
    sends:
      'The same code twice to the token endpoint, then GET userinfo and a renewal with the tokens of the first response.',
    decides:
      'userinfo accepts the access token before the second request. Afterwards both tokens are rejected.',
    fix: 'If a used code arrives again, revoke the access tokens and refresh tokens that were issued for it, and check that at userinfo.',
    async run(context) {
      const { requestTokens, codeForm, target } = context
      const login = await asPremise('a login (see O02)', context.logInForTokens())
      const url = await context.endpoint('userinfo_endpoint')
      const headers = { authorization: `Bearer ${login.tokens.access_token}` }
      const read = () => context.httpAs('relying-party').request(url, { headers })
      const before = read().then((answer) => requireJson(answer, 'userinfo'))
      await asPremise('userinfo (see O12)', before)
      const { status } = await requestTokens(codeForm(login), target.client)
      if (status === 200) return inconclusive('The code works twice: see O06.')
      const finding = findRefusal(await read(), {
        what: 'The access token of a code that was used twice',
      })
      const { refresh_token: refresh } = login.tokens
      if (finding.kind !== 'held' || typeof refresh !== 'string') return finding
      const form = { grant_type: 'refresh_token', refresh_token: refresh }
      return findRefusal(await requestTokens(form, target.client), {
        what: 'The refresh token of a code that was used twice',
      })
    },
  },
  'O47-parallel-codes': {
    title: 'A code that is redeemed several times in parallel works at most once',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['RFC 6749, 4.1.2'],
    description:
      'An IDP that reads a code and marks it as used in two steps serves an attacker who is fast enough.',
    sends: 'The same code in five token requests at the same time.',
    decides: 'At most one response has tokens.',
    fix: 'Mark the code as used in one atomic step, such as an UPDATE that only changes unused codes, and reject all other requests with 400 invalid_grant.',
    async run({ logIn, requestTokens, codeForm, target }) {
      const form = codeForm(await asPremise('a login (see O02)', logIn()))
      const requests = Array.from({ length: 5 }, () => requestTokens(form, target.client))
      const statuses = (await Promise.all(requests)).map(({ status }) => status)
      const accepted = statuses.filter((status) => status === 200)
      return accepted.length <= 1
        ? held(`${accepted.length} of 5 parallel requests got tokens.`)
        : broken(`${accepted.length} of 5 parallel requests got tokens.`, { actual: statuses })
    },
  },
  'O48-refresh-token-bound': {
    title: 'A refresh token is bound to its client and its scopes',
    level: 'final',
    expectation: 'refuse',
    needs: ['wallet-login', 'second-client'],
    clauses: ['RFC 6749, 6'],
    description: 'A refresh token is valid for weeks. It must be useless for anyone who finds it.',
    sends:
      'The refresh token of a login with the scope openid: with the credentials of the second client, with more scopes, changed, with a space at its end, and at last correctly. The access token and the id_token in its place.',
    decides:
      'Only the last request with the refresh token returns tokens, and none gives scopes, or claims at userinfo, that the login did not have. If the last one fails, the check is inconclusive.',
    fix: 'Store client_id and scope with the refresh token. If the authenticated client differs, return 400 invalid_grant; if scope has more values, 400 invalid_scope.',
    async run(context) {
      const { requestTokens, target } = context
      const { client, secondClient = client } = target
      const parameters = { scope: 'openid' }
      const { tokens } = await asPremise(
        'a login (see O02)',
        context.logInForTokens({ parameters }),
      )
      const renewal = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) }
      const wider = await requestTokens({ ...renewal, scope: target.scope }, client)
      // A server may also ignore further scopes (RFC 6749, 3.3).
      const ignored = wider.status === 200 ? requireJson(wider, 'A renewal') : undefined
      if (ignored === undefined || (await findGained(context, tokens, ignored)).length > 0) {
        const finding = findRefusal(wider, { what: 'A refresh token with more scopes' })
        if (finding.kind !== 'held') return finding
      }
      const refresh_token = String(ignored?.refresh_token ?? tokens.refresh_token)
      const form = { ...renewal, refresh_token }
      const cases = [
        { what: 'A refresh token of another client', form, party: secondClient },
        ...[...nearMissesOf(refresh_token), spaceAtEnd].map(({ what, change }) => ({
          what: `A refresh token that ${what}`,
          form: { ...form, refresh_token: change(refresh_token) },
        })),
        ...(['access_token', 'id_token'] as const).map((name) => ({
          what: `A renewal with the ${name}`,
          form: { ...form, refresh_token: String(tokens[name]) },
        })),
      ]
      const finding = await findEach(cases, async ({ what, form: sent, ...each }) =>
        findRefusal(await requestTokens(sent, 'party' in each ? each.party : client), { what }),
      )
      if (finding.kind !== 'held') return finding
      const right = requestTokens(form, client).then((answer) =>
        requireJson(answer, 'The right refresh token'),
      )
      await asPremise('renewing a login', right)
      return finding
    },
  },
  'O73-renewal-after-revocation': {
    title: 'A login is not renewed after its credential was revoked',
    level: 'practice',
    expectation: 'refuse',
    needs: ['wallet-login'],
    clauses: ['docs/assumptions.md, A-55'],
    description:
      'A refresh token lives for weeks. A person whose credential was revoked would stay logged in.',
    sends:
      'A login with a credential in a status list. Its login is renewed, then with unusable status lists and with the right one after each, and again after the credential was revoked.',
    decides:
      'The first renewal is accepted, and so is one after a server error. The others are not. A rejection after the revocation other than 400 invalid_grant is a warning.',
    fix: 'Read the status of the credential at each renewal. If it is revoked, return 400 invalid_grant; if the list cannot be verified, 503.',
    async run(context) {
      const { world } = context.trust
      const credentialStatus = publishStatusList(world, {})
      const { defect } = withDefect('A credential with a status.', {
        change: () => ({ vc: { credentialStatus } }),
      })
      const presentation = { account: createAccount(), ...(defect && { defect }) }
      const renew = await logInAndRenew(context, presentation)
      const url = credentialStatus.statusListCredential
      for (const [what, list] of Object.entries(unusableLists)) {
        publishStatusList(world, { ...list, url })
        const { status } = await renew()
        if (status === 200)
          return wronglyAccepted(`A login was renewed with a status list ${what}.`)
        publishStatusList(world, { url })
        // A server error asks the client to try again.
        if (status >= 500) requireJson(await renew(), 'A renewal after a server error')
      }
      publishStatusList(world, { revoked: [7], url })
      return findRefusal(await renew(), {
        what: 'A renewal after the revocation',
        statuses: [400],
        errors: ['invalid_grant'],
      })
    },
  },
  'O91-renewal-after-expiry': {
    title: 'A login is not renewed after its credential has expired',
    level: 'practice',
    expectation: 'refuse',
    needs: ['wallet-login', 'clock'],
    clauses: ['docs/assumptions.md, A-55'],
    description:
      'A credential says until when a person has its powers. A renewal afterwards extends them for as long as the relying party likes.',
    sends:
      'A login with a credential that ends in ten minutes, by validUntil and exp, and one only with exp. Each login is renewed, and again after the clock of the IDP is moved ahead by twenty minutes.',
    decides:
      'The first renewal is accepted, and the second one is not. A rejection other than 400 invalid_grant is a warning. A verifier may reject a credential without validUntil.',
    fix: 'Store the end of the credential with the login: validUntil or exp, whichever is earlier. Compare it with the current time at each renewal. If it has passed, return 400 invalid_grant.',
    async run(context) {
      const findRenewed = async (hasValidUntil: boolean) => {
        const end = context.now() + 600
        const validUntil = hasValidUntil ? new Date(end * 1000).toISOString() : undefined
        const presentation = withDefect('A credential that ends soon.', {
          change: () => ({ claims: { exp: end }, vc: { validUntil } }),
        })
        const renew = await logInAndRenew(context, presentation)
        await context.advanceClock(1200)
        const answer = await renew().finally(context.resetClock)
        const what = hasValidUntil ? '' : ', only by exp'
        return findRefusal(answer, {
          what: `A renewal after the credential has expired${what}`,
          statuses: [400],
          errors: ['invalid_grant'],
        })
      }
      const finding = await findRenewed(true)
      if (finding.kind !== 'held') return finding
      const byExp = await findRenewed(false).catch(requireFinding)
      return byExp.kind === 'inconclusive' ? finding : byExp
    },
  },
  'O80-replaced-refresh-token': {
    title: 'A refresh token works until it is replaced, and reusing a replaced one ends the login',
    level: 'practice',
    expectation: 'accept',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['RFC 6749, 6', 'RFC 9700, 4.14.2'],
    description:
      'If a replaced refresh token arrives again, one of the two senders is an attacker. A token that ends without a replacement logs people out.',
    sends:
      'A login, a renewal, another one with the first refresh token, and one with the newest; if the first was rejected, five simultaneous renewals of another login.',
    decides:
      'If the first renewal returns no other refresh token, the first one works again. If it does and the first one is then rejected, the newest is rejected as well, and at most one of the simultaneous renewals is accepted.',
    fix: 'Keep a refresh token valid until you return another one. If you reject replaced ones, replace a token in one atomic step, and revoke the whole login when a replaced one arrives.',
    async run({ logInForTokens, requestTokens, target }) {
      const { tokens } = await asPremise('a login (see O02)', logInForTokens())
      const renew = (refresh: unknown) =>
        requestTokens(
          { grant_type: 'refresh_token', refresh_token: String(refresh) },
          target.client,
        )
      const renewed = requireJson(await renew(tokens.refresh_token), 'A renewal')
      const again = await renew(tokens.refresh_token)
      const { refresh_token: newest = tokens.refresh_token } = renewed
      if (newest === tokens.refresh_token) {
        requireJson(again, 'A second renewal with a refresh token that was not replaced')
        return held('The refresh token was not replaced, and works again.')
      }
      if (again.status === 200) return held('Both refresh tokens work for their client.')
      const finding = findRefusal(await renew(newest), {
        what: 'The newest refresh token, after a replaced one was used again,',
      })
      if (finding.kind !== 'held') return finding
      const { tokens: others } = await asPremise('a login (see O02)', logInForTokens())
      const requests = Array.from({ length: 5 }, () => renew(others.refresh_token))
      const statuses = (await Promise.all(requests)).map(({ status }) => status)
      const accepted = statuses.filter((status) => status === 200)
      return accepted.length <= 1
        ? finding
        : broken(
            `${accepted.length} of 5 simultaneous renewals with one refresh token got tokens.`,
            {
              actual: statuses,
            },
          )
    },
  },
})

/** The scopes and claims of renewed tokens that those of the login do not have. */
async function findGained(context: IdpContext, before: TokenAnswer, after: TokenAnswer) {
  const namesOf = async (tokens: TokenAnswer) => [
    ...String(tokens.scope ?? 'openid').split(' '),
    ...Object.keys(await asPremise('userinfo (see O12)', readUserinfo(context, tokens))),
  ]
  const known = new Set(await namesOf(before))
  return (await namesOf(after)).filter((name) => !known.has(name))
}

/** Renews a new login once; returns how to renew it with its newest refresh token. */
async function logInAndRenew(context: IdpContext, presentation: PresentationOptions) {
  const { tokens } = await asPremise('a login (see O02)', context.logInForTokens({ presentation }))
  const renew = (refresh: unknown) =>
    context.requestTokens(
      { grant_type: 'refresh_token', refresh_token: String(refresh) },
      context.target.client,
    )
  const first = renew(tokens.refresh_token).then((answer) => requireJson(answer, 'A renewal'))
  const { refresh_token: newest = tokens.refresh_token } = await asPremise(
    'a renewal (see O72)',
    first,
  )
  return () => renew(newest)
}
