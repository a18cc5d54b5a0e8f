import { TestbedError } from '#core/errors/testbed-error.ts'
import { explain } from '#core/explanation/explain.ts'
import type { ExplainOptions, Explanation } from '#core/explanation/explanation.ts'
import type { Lookup } from '#core/verification/rules.ts'
import {
  credentialIssuerUrlOf,
  mainCredentialTypeOf,
  tirBaseUrlOf,
} from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import { createWalletHttp } from '#wallet-emulator/http/create-wallet-http.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'
import { explanationTrustAt, fetchReferenced } from '#wallet-emulator/trust/explanation-trust.ts'

/** A pasted message: text, or an image with a QR code. */
export interface PastedMessage {
  readonly text?: string | undefined
  /** Base64 of a PNG or JPEG file. */
  readonly image?: string | undefined
}

/**
 * The text of a pasted message.
 * @throws TestbedError `no_message` (400) if there is none
 */
export function readPasted({ text, image }: PastedMessage): string {
  if (image === undefined) {
    if (text === undefined || text.trim() === '') {
      throw noMessage('Paste a token, an offer, a request or a link, or choose an image.')
    }
    return text
  }
  // Photographs can take seconds, in which the server does not answer.
  const found = readQrImage(Buffer.from(image, 'base64'), { timeLimitMilliseconds: 2000 })
  if (!found.ok) throw noMessage(`Could not read a QR code from the image: ${found.reason}.`)
  return found.text
}

const noMessage = (message: string) =>
  new TestbedError({ code: 'no_message', status: 400, message })

export interface ExplainPastedOptions
  extends Pick<
    ExplainOptions,
    | 'now'
    | 'environment'
    | 'acceptedType'
    | 'holderDid'
    | 'audience'
    | 'nonce'
    | 'queryId'
    | 'credentialIssuer'
  > {
  /** Whether to fetch what a link refers to, if it is at a service of the testbed. */
  readonly fetchReferences: boolean
}

/**
 * Explains a message as `testbed verify` does, with the registries of the running environments.
 * Makes requests only to services of the testbed, regardless of the message.
 */
export function explainPasted(
  message: string,
  environments: Iterable<RunningEnvironment>,
  { fetchReferences, ...options }: ExplainPastedOptions,
): Promise<Explanation> {
  const running = [...environments]
  const http = createWalletHttp({ allowPrivateAddresses: true })
  const trust = running.map(({ environment, context }) => [
    environment,
    explanationTrustAt(http, {
      didRegistryBaseUrl: context.urls['did-registry'],
      tirBaseUrl: tirBaseUrlOf(context),
      rootDids: [context.keys.rootTao.did],
      credentialIssuerUrls: [context.urls.issuer, credentialIssuerUrlOf(context)],
      credentialType: mainCredentialTypeOf(context),
    }),
  ])
  const own = new Set(
    running.flatMap(({ context }) => [
      ...Object.values(context.urls).map(originOf),
      originOf(credentialIssuerUrlOf(context)),
    ]),
  )
  const fetchReference = async (url: string): Promise<Lookup<string>> =>
    originOf(url) !== '' && own.has(originOf(url))
      ? fetchReferenced(http, url)
      : {
          ok: false,
          kind: 'not-asked',
          reason: 'the address is not one of this testbed, so it is not fetched',
        }
  return explain(message, {
    ...options,
    trust: Object.fromEntries(trust),
    ...(fetchReferences ? { fetchReference } : {}),
  })
}

/** The origin of an address; empty for an invalid address and for other schemes. */
function originOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.origin : ''
}
