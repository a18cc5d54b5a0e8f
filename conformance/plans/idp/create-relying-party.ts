import { type CheckBase, endCheck, inconclusive } from '../../kit/check.ts'
import { asPremise, requireJson } from '../../kit/classify-answer.ts'
import type { IdpContext } from './context.ts'
import type { IdpParty, IdpTarget } from './z-target.ts'

type Form = Readonly<Record<string, string>>

/** The part of the context that calls the IDP as its relying party. */
export type RelyingParty = Pick<
  IdpContext,
  'baseUrl' | 'discover' | 'endpoint' | 'authorizationUrl' | 'requestTokens' | 'codeForm'
>

export function createRelyingParty({ httpAs }: CheckBase, target: IdpTarget): RelyingParty {
  const { client, scope } = target
  const baseUrl = target.issuer.replace(/\/$/, '')
  let discovery: ReturnType<IdpContext['discover']> | undefined

  const discover = () => {
    discovery ??= httpAs('relying-party')
      .request(`${baseUrl}/.well-known/openid-configuration`)
      .then((answer) => requireJson(answer, 'The discovery document'))
    return discovery
  }

  const endpoint = async (name: string) => {
    const value = (await asPremise('the discovery document (see O01)', discover()))[name]
    if (typeof value === 'string' && URL.canParse(value)) return value
    const reason = `The discovery document has no address ${name}: see O01.`
    endCheck(inconclusive(reason, { actual: value }))
  }

  return {
    baseUrl,
    discover,
    endpoint,
    async authorizationUrl({ parameters = {}, party = client } = {}) {
      const url = new URL(await endpoint('authorization_endpoint'))
      const all: Readonly<Record<string, string | undefined>> = {
        client_id: party.clientId,
        redirect_uri: party.redirectUri,
        response_type: 'code',
        scope,
        ...parameters,
      }
      for (const [name, value] of Object.entries(all)) {
        if (value !== undefined) url.searchParams.set(name, value)
      }
      return url
    },
    async requestTokens(form, party, { at = 'token_endpoint', headers = {} } = {}) {
      const url = await endpoint(at)
      const identified = party ? identify(target, party, form) : { form }
      return httpAs('relying-party').request(url, {
        ...identified,
        headers: { ...headers, ...identified.headers },
      })
    },
    codeForm: ({ code }, party = client) => ({
      grant_type: 'authorization_code',
      code,
      redirect_uri: party.redirectUri,
      client_id: party.clientId,
    }),
  }
}

/** Adds the credentials of a relying party to a request, where the IDP expects them. */
function identify(
  { clientAuthentication }: IdpTarget,
  { clientId, clientSecret }: IdpParty,
  form: Form,
): { readonly form: Form; readonly headers?: Form } {
  if (clientAuthentication === 'body') {
    return { form: { client_id: clientId, client_secret: clientSecret, ...form } }
  }
  const basic = [clientId, clientSecret].map(encodeURIComponent).join(':')
  return { form, headers: { authorization: `Basic ${Buffer.from(basic).toString('base64')}` } }
}
