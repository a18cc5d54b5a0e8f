import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { broken, defineChecks, endCheck, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, classifyStatus } from '../../../kit/classify-answer.ts'
import { requireEach } from '../../../kit/find-each.ts'
import type { IssuerContext } from '../context.ts'
import { defer } from '../credentials.ts'
import { fetchMetadata } from '../metadata.ts'
import { signIn, validBody } from '../portal-steps.ts'
import { askForCredential, askForToken, reachAnswer, readOffer, redeem } from '../redeeming.ts'

const origin = 'https://wallet.example'

/** A page may read an answer that allows its origin or any. */
const isReadable = ({ headers }: HttpAnswer) =>
  ['*', origin].includes(headers.get('access-control-allow-origin') ?? '')

/** The names in a header with a list, in lower case. */
const namesIn = ({ headers }: HttpAnswer, name: string): readonly string[] =>
  (headers.get(name) ?? '').split(',').map((each) => each.trim().toLowerCase())

export const checks = defineChecks<IssuerContext>({
  'I146-secrets-not-stored': {
    title: 'Intermediaries cannot store offers, QR codes and deferred credentials',
    level: 'practice',
    expectation: 'advice',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12'],
    clauses: ['RFC 6749, 5.1'],
    description:
      'The code in an offer yields a credential. A cache that stores one of these responses returns it to another client, or returns an old response to a wallet that polls.',
    sends:
      'GET of an offer by reference, a poll for a deferred credential before and after it is ready, and the request of a representative, as far as the target supports them.',
    decides: 'Each response has Cache-Control with no-store.',
    fix: 'Send Cache-Control: no-store with offers by reference, with both responses of the deferred endpoint and with the QR code. Check that a proxy does not remove it.',
    timeLimitMilliseconds: 660_000,
    async run(context) {
      const answers: HttpAnswer[] = []
      if (context.can('portal')) {
        const { portal, headers } = await signIn(context.portal())
        const body = validBody('representative', portal)
        const ordering = portal.post('representative', body, headers)
        answers.push(await reachAnswer('the request of the representative', ordering))
      }
      if (context.can('reference')) {
        const { link } = await context.createOffer('reference')
        const address = new URL(link).searchParams.get('credential_offer_uri')
        if (address === null) return inconclusive('The link has no credential_offer_uri: see I06.')
        answers.push(await reachAnswer('reading the offer', context.http.request(address)))
      }
      if (context.can('deferred')) {
        const { poll } = await defer(context)
        answers.push(await reachAnswer('the first poll', poll()))
        await context.letPass(context.deferredSeconds + 1)
        answers.push(await reachAnswer('the second poll', poll()))
      }
      if (answers.length === 0) {
        return inconclusive('The target has none of these responses: add a portal or a verb.')
      }
      await requireEach(answers, async (answer) => {
        const actual = answer.headers.get('cache-control')
        if (/\bno-store\b/i.test(actual ?? '')) return
        const { pathname } = new URL(answer.url)
        const verdictSource = `Cache-Control of ${pathname}`
        const details = { expected: 'no-store', actual, verdictSource }
        return broken(`The response of ${pathname} can be stored.`, details)
      })
      return held('All have no-store.', { verdictSource: 'Cache-Control of the responses' })
    },
  },
  'I147-wallets-in-browsers': {
    title: 'Wallets in browsers can use the issuer',
    level: 'practice',
    expectation: 'advice',
    description:
      'A browser hides a response from a page of another origin, and does not even send a request with Authorization, unless the issuer allows it.',
    sends: `With Origin: ${origin}, GET of the metadata, a valid and an invalid token request, a credential request, if possible the reading of an offer and a poll, and the preflight requests (OPTIONS) of both endpoints with JSON.`,
    decides:
      'Each response, including a rejection, has Access-Control-Allow-Origin with * or the origin. The preflight requests return 2xx and allow POST, authorization and content-type.',
    fix: 'Send Access-Control-Allow-Origin: * with every response for wallets, including errors. Respond to OPTIONS with 204 and Access-Control-Allow-Headers: authorization, content-type.',
    async run(context) {
      const browser = {
        ...context,
        http: {
          ...context.http,
          request: (...[url, request]: Parameters<typeof context.http.request>) =>
            context.http.request(url, { ...request, headers: { ...request?.headers, origin } }),
        },
      }
      const { resolved } = await readOffer(context)
      const session = await redeem(context)
      const answers = [
        await reachAnswer('the metadata', fetchMetadata(browser)),
        await reachAnswer('the token request', askForToken(browser, resolved)),
        await askForToken(browser, resolved),
        await reachAnswer('the credential request', askForCredential(browser, session)),
      ]
      if (context.can('reference')) {
        const { link } = await context.createOffer('reference')
        const address = new URL(link).searchParams.get('credential_offer_uri')
        if (address) answers.push(await reachAnswer('the offer', browser.http.request(address)))
      }
      if (context.can('deferred')) {
        const { poll, session } = await defer(context)
        answers.push(await reachAnswer('a poll', poll({ headers: { origin } })))
        await findPreflight(browser, session.resolved.metadata.deferredCredentialEndpoint)
      }
      const closed = answers.find((answer) => !isReadable(answer))
      if (closed) {
        const { pathname } = new URL(closed.url)
        return broken(`A page cannot read the response of ${pathname} (HTTP ${closed.status}).`, {
          expected: `* or ${origin}`,
          actual: closed.headers.get('access-control-allow-origin'),
          verdictSource: `Access-Control-Allow-Origin of ${pathname}`,
        })
      }
      await findPreflight(browser, session.resolved.metadata.credentialEndpoint)
      return held(`Pages of ${origin} can use it.`, {
        verdictSource: 'Access-Control headers of the endpoints',
      })
    },
  },
})

/** Ends the check if a page may not send a request with a token and JSON to this address. */
async function findPreflight({ http }: IssuerContext, url: string): Promise<void> {
  const headers = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  }
  const { pathname } = new URL(url)
  const what = `The preflight request to ${pathname}`
  const answer = await asPremise(what, http.request(url, { method: 'OPTIONS', headers }))
  const verdictSource = `Access-Control headers of OPTIONS ${pathname}`
  const kind = classifyStatus(answer.status)
  if (kind !== 'accepted' && kind !== 'refused') {
    endCheck(inconclusive(`${what} was answered with HTTP ${answer.status}.`, { verdictSource }))
  }
  const allowed = namesIn(answer, 'access-control-allow-headers')
  const isAllowed =
    answer.status < 300 &&
    isReadable(answer) &&
    ['authorization', 'content-type'].every((name) => allowed.includes(name))
  if (isAllowed) return
  endCheck(
    broken(`${what} does not allow Authorization and JSON.`, {
      expected: 'authorization, content-type',
      actual: [answer.status, answer.headers.get('access-control-allow-headers')],
      verdictSource,
    }),
  )
}
