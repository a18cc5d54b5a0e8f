import type { CredentialOfferWire } from '#core/oid4vci/credential-offer.ts'
import type { CustomOffer, CustomOfferRequest } from '#services/issuer/operations/issuance.ts'
import {
  codeOf,
  createCredentialRequestBody,
  createHolder,
  grantType,
  type IssuanceSystem,
  type JsonAnswer,
  postForm,
  postJson,
  power,
  type TestHolder,
} from '#test/support/start-issuance-system.ts'

export interface TestOffer extends CustomOffer {
  /** The offer itself, by whichever way it was delivered. */
  readonly offer: CredentialOfferWire
  readonly code: string
}

export const mandate = {
  mandator: { organizationIdentifier: 'VATES-A12345678', organization: 'Ejemplo S.A.' },
  mandatee: {
    employeeId: 'E-1',
    email: 'ana.ruiz@example.org',
    firstName: 'Ana',
    lastName: 'Ruiz',
  },
  power: [power],
}

/** An offer with just these properties, with its record at the issuer. */
export async function makeOffer(
  { issuer }: IssuanceSystem,
  request: Omit<CustomOfferRequest, 'mandate'> = {},
): Promise<TestOffer> {
  const made = await issuer.service.createOffer({ mandate, ...request })
  const { searchParams } = new URL(made.offerUri)
  const reference = searchParams.get('credential_offer_uri')
  const offer =
    reference === null
      ? JSON.parse(searchParams.get('credential_offer') ?? '')
      : await (await fetch(reference)).json()
  return { ...made, offer, code: codeOf(offer) }
}

export function redeem(
  { connector }: IssuanceSystem,
  code: string,
  txCode?: string,
): Promise<JsonAnswer> {
  return postForm(`${connector.baseUrl}/token`, {
    grant_type: grantType,
    'pre-authorized_code': code,
    ...(txCode === undefined ? {} : { tx_code: txCode }),
  })
}

export interface TestSession {
  readonly accessToken: string
  readonly cNonce: string
  readonly made: TestOffer
}

/** Makes an offer and redeems it. */
export async function openSession(
  system: IssuanceSystem,
  request: Omit<CustomOfferRequest, 'mandate'> = {},
): Promise<TestSession> {
  const made = await makeOffer(system, request)
  const { body } = await redeem(system, made.code, made.pin)
  return { accessToken: String(body.access_token), cNonce: String(body.c_nonce), made }
}

/** Asks for the credential with a good proof, unless the body is given. */
export function requestCredential(
  { connector, runtime }: IssuanceSystem,
  { accessToken, cNonce }: { accessToken: string; cNonce: string },
  { holder = createHolder(), body }: { holder?: TestHolder; body?: unknown } = {},
): Promise<JsonAnswer> {
  const { baseUrl } = connector
  return postJson(
    `${baseUrl}/credential`,
    body ?? createCredentialRequestBody(baseUrl, cNonce, holder, runtime.clock.seconds()),
    { authorization: `Bearer ${accessToken}` },
  )
}

export function payloadOf(credential: unknown) {
  return JSON.parse(Buffer.from(String(credential).split('.')[1] ?? '', 'base64url').toString())
}
