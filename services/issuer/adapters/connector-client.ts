import { z } from 'zod'
import { maskText } from '#core/json/mask-secrets.ts'
import type { TxCode } from '#core/oid4vci/credential-offer.ts'
import { createHttpClient, type HttpAnswer } from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { ConnectorProfile } from '../config.ts'
import { connectorFailed, offerRedeemed } from '../errors.ts'

const zPreauthCode = z.looseObject({
  preauth_code: z.string().min(1),
  offer_uri: z.url().optional(),
  pin: z.string().optional(),
})
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

interface OfferRequest {
  readonly vcTypes: readonly string[]
  readonly subjectId: string
  /** Seconds. */
  readonly expiresIn: number
  /** Requires a PIN, which the Connector generates. */
  readonly txCode?: TxCode
  /** Seconds between the wallet's request and the credential's availability. */
  readonly deferredSeconds?: number
  /** Whether its link contains the offer or its address. Default: the Connector's choice. */
  readonly delivery?: 'value' | 'reference'
}

/** An offer of the Connector. */
interface MadeOffer {
  readonly code: string
  /** Its link, if the Connector returns it immediately; the testbed's does. */
  readonly link?: string
  readonly pin?: string
}

export interface ConnectorClient {
  /** Throws `offer_redeemed` if the holder has redeemed an earlier offer for this subject. */
  createOffer(request: OfferRequest): Promise<MadeOffer>
  /** The QR code of an offer as PNG. */
  readOfferQr(code: string): Promise<Uint8Array>
  /** The link of an offer, by value or by reference; by default the Connector decides. */
  readOfferLink(code: string, delivery?: 'value' | 'reference'): Promise<string>
  /** Reports a revoked credential, by its credential_id or subject_id; a 404 is accepted. */
  revoke(id: string): Promise<void>
}

/**
 * A Connector, through its API for issuers. Every failure is `connector_error` (profile/issuer,
 * Errors: 500, error contacting the Connector).
 *
 * @assumption A-39
 */
export function createConnectorClient(
  { url, apiKey }: ConnectorProfile,
  runtime: Runtime,
): ConnectorClient {
  const client = createHttpClient(runtime, {
    caller: 'issuer',
    dependency: 'connector',
    baseUrl: url,
    headers: { 'x-api-key': apiKey },
    faults: ['connector-down'],
  })
  const ask = async (path: string, accepted: readonly number[], json?: unknown) => {
    const answer = await client
      .request(path, json === undefined ? {} : { method: 'POST', json })
      .catch((cause: unknown) => {
        throw connectorFailed(maskText(`${path} did not respond`), cause)
      })
    if (accepted.includes(answer.status)) return answer
    throw connectorFailed(maskText(`${path} returned ${describe(answer)}`))
  }
  const offer = (code: string, mode: string) =>
    ask(`/credential-offer?preauth_code=${encodeURIComponent(code)}&response_mode=${mode}`, [200])

  return {
    async createOffer({ vcTypes, subjectId, expiresIn, txCode, deferredSeconds, delivery }) {
      const json = {
        vc_names: vcTypes,
        subject_id: subjectId,
        expires_in: expiresIn,
        ...(txCode ? { tx_code: createTxCodeWire(txCode) } : {}),
        ...(deferredSeconds === undefined ? {} : { deferred_seconds: deferredSeconds }),
        ...(delivery === undefined ? {} : { delivery }),
      }
      const answer = await ask('/preauth-code', [200, 201, 409], json)
      if (answer.status === 409) throw offerRedeemed()
      const parsed = zPreauthCode.safeParse(answer.json)
      if (!parsed.success)
        throw connectorFailed(maskText(`/preauth-code returned ${describe(answer)}`))
      const { preauth_code: code, offer_uri: link, pin } = parsed.data
      return {
        code,
        ...(link === undefined ? {} : { link }),
        ...(pin === undefined ? {} : { pin }),
      }
    },
    async readOfferQr(code) {
      const { bytes } = await offer(code, 'qr')
      if (Buffer.from(bytes.subarray(0, 8)).equals(pngSignature)) return bytes
      throw connectorFailed('/credential-offer did not return a PNG')
    },
    async readOfferLink(code, delivery) {
      const mode = delivery === undefined ? 'deep-link' : `deep-link&delivery=${delivery}`
      const link = (await offer(code, mode)).text.trim()
      if (URL.canParse(link)) return link
      throw connectorFailed('/credential-offer did not return a link')
    },
    async revoke(id) {
      const path = `/credentials/issued/${encodeURIComponent(id)}/status`
      await ask(path, [200, 404], { status: '0x1' })
    },
  }
}

function createTxCodeWire({ length, inputMode, description }: TxCode) {
  return { length, input_mode: inputMode, description }
}

function describe({ status, text }: HttpAnswer): string {
  return `${status}: ${text.slice(0, 300)}`
}
