import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { createHolderDid, type HolderDidMethod } from '#core/crypto/holder-did.ts'
import { createPrivateJwk, type PrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import type { HolderCurve } from '#core/crypto/suites.ts'
import type { CredentialOfferWire } from '#core/oid4vci/credential-offer.ts'
import { createProofOfPossession } from '#core/oid4vci/proof-of-possession.ts'
import type { Service } from '#kit/runtime.ts'
import { createConnectorService } from '#services/connector/create-connector-service.ts'
import { createIssuerService, type IssuerService } from '#services/issuer/create-issuer-service.ts'
import type { CustomOffer, CustomOfferRequest } from '#services/issuer/operations/custom-offer.ts'
import { createMailService, type MailService } from '#services/mail/create-mail-service.ts'
import { createManagementService } from '#services/management/create-management-service.ts'
import {
  createTestRuntime,
  onFinished,
  type RunningService,
  startService,
  type TestRuntime,
} from '#test/support/services.ts'
import { type BearerIssuer, startBearerIssuer } from '#test/support/start-bearer-issuer.ts'
import { callJson } from './http.ts'

export const connectorApiKey = 'connector-api-key-0123456789'
export const issuerApiKey = 'issuer-api-key-0123456789'
export const managementApiKey = 'management-api-key-0123456789'
export const issuerPrivateKey = `0x${'42'.repeat(32)}`
export const issuerDid = 'did:org:uc-pre:z1fNWVvuUi5PtY2REELNATXAnLEf'
export const issuerVMethodId = 'issuer-key-1'
export const accreditationUrl = `http://127.0.0.1:1/trusted-issuers-registry/v1/issuers/${issuerDid}/attributes/${'ab'.repeat(32)}`
export const grantType = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'
export const credentialTypes = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential']

export const power = {
  type: 'Domain',
  domain: 'PORTAL',
  function: 'Onboarding',
  action: ['Execute'],
}

export interface IssuanceSystem {
  readonly runtime: TestRuntime
  readonly tokenIssuer: BearerIssuer
  readonly issuer: RunningService<IssuerService>
  readonly connector: RunningService
  readonly mail: RunningService<MailService>
  readonly management: RunningService<Service>
  stop(): Promise<void>
}

export interface IssuanceSystemOptions {
  readonly issuer?: Record<string, unknown>
  readonly connector?: Record<string, unknown>
  /** The database of all four. Default: each in memory. */
  readonly databaseUrl?: string
  /** Whether the issuer's address serves wallets too, as in a testbed. Default: the connector's own. */
  readonly oneAddress?: boolean
}

/**
 * Starts issuer, connector, management API, mail server and a token issuer, each on a
 * separate port, with state in SQLite. They end with the test or the file.
 */
export async function startIssuanceSystem(
  options: IssuanceSystemOptions = {},
): Promise<IssuanceSystem> {
  const runtime = createTestRuntime()
  const { databaseUrl, oneAddress = false } = options
  const kept = databaseUrl === undefined ? {} : { databaseUrl }
  const tokenIssuer = await startBearerIssuer()
  const management = await startService((baseUrl) =>
    createManagementService(
      {
        baseUrl,
        ...kept,
        apiKeys: [managementApiKey],
        organizations: [
          {
            organizationIdentifier: 'VATES-A12345678',
            authorizedPowers: [{ ...power, action: ['Execute', 'Read'] }],
          },
          { organizationIdentifier: 'VATES-B00000000', authorizedPowers: [power] },
          { organizationIdentifier: 'VATES-C00000000', authorizedPowers: null },
        ],
      },
      runtime,
    ),
  )
  const mail = await startService((baseUrl) => createMailService({ baseUrl, ...kept }, runtime))
  // Each of the two needs the other's URL, so the connector starts during the issuer's start.
  let connector: RunningService | undefined
  const issuer = await startService(async (baseUrl) => {
    connector = await startService((connectorUrl) =>
      createConnectorService(
        {
          baseUrl: connectorUrl,
          ...(oneAddress && { credentialIssuerUrl: baseUrl }),
          apiKeys: [connectorApiKey],
          issuerUrl: baseUrl,
          issuerApiKey,
          issuerDid,
          issuerPrivateKey,
          issuerVMethodId,
          accreditationUrl,
          retryMilliseconds: 50,
          ...kept,
          ...options.connector,
        },
        runtime,
      ),
    )
    return createIssuerService(
      {
        baseUrl,
        ...(oneAddress && { walletEndpointsUrl: connector.baseUrl }),
        jwksUri: tokenIssuer.jwksUri,
        apiKeys: [issuerApiKey],
        managementApiUrl: management.baseUrl,
        connectorProfiles: [{ name: 'default', url: connector.baseUrl, apiKey: connectorApiKey }],
        issuerDid,
        issuerPrivateKey,
        issuerVMethodId,
        smtpUrl: mail.service.smtpUrl,
        mailRetryMilliseconds: 50,
        ...kept,
        ...options.issuer,
      },
      runtime,
    )
  })
  if (!connector) throw new Error('no connector')
  const started = [issuer, connector, mail, management]
  const stopAll = async () => {
    for (const service of started) await service.stop()
    await tokenIssuer.stop()
  }
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= stopAll()
    return stopped
  }
  onFinished(stop)
  return {
    runtime,
    tokenIssuer,
    issuer,
    connector,
    mail,
    management,
    stop,
  }
}

interface TestHolder {
  readonly privateKey: PrivateJwk
  readonly did: string
  readonly kid: string
}

export function createHolder(
  curve: HolderCurve = 'secp256k1',
  method: HolderDidMethod = 'key',
  seed = 7,
): TestHolder {
  const privateKey = createPrivateJwk(curve, Buffer.alloc(32, seed))
  return { privateKey, ...createHolderDid({ method, publicKey: publicJwkOf(privateKey) }) }
}

/** Reads the code from an offer by value or from its JSON. */
export function codeOf(offer: CredentialOfferWire): string {
  return offer.grants?.[grantType]?.['pre-authorized_code'] ?? ''
}

/** A credential request with a valid proof, as a wallet sends it. */
export function createCredentialRequestBody(
  credentialIssuer: string,
  cNonce: unknown,
  holder: TestHolder = createHolder(),
  now: number = Math.floor(Date.now() / 1000),
) {
  const jwt = createProofOfPossession({
    privateKey: holder.privateKey,
    holderDid: holder.did,
    kid: holder.kid,
    credentialIssuer,
    cNonce: String(cNonce),
    now,
  })
  return { format: 'jwt_vc_json', types: credentialTypes, proof: { proof_type: 'jwt', jwt } }
}

export interface TestOffer extends CustomOffer {
  /** The offer object, for any form of delivery. */
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

/** An offer with exactly these properties, with its record at the issuer. */
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
): ReturnType<typeof callJson> {
  return callJson(`${connector.baseUrl}/token`, {
    form: {
      grant_type: grantType,
      'pre-authorized_code': code,
      ...(txCode === undefined ? {} : { tx_code: txCode }),
    },
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

/** Requests the credential with a valid proof, unless the body is given. */
export function requestCredential(
  { connector, runtime }: IssuanceSystem,
  { accessToken, cNonce }: { accessToken: string; cNonce: string },
  { holder = createHolder(), body }: { holder?: TestHolder; body?: unknown } = {},
): ReturnType<typeof callJson> {
  const { baseUrl } = connector
  return callJson(`${baseUrl}/credential`, {
    json: body ?? createCredentialRequestBody(baseUrl, cNonce, holder, runtime.clock.seconds()),
    headers: { authorization: `Bearer ${accessToken}` },
  })
}

export function payloadOf(credential: unknown) {
  return JSON.parse(Buffer.from(String(credential).split('.')[1] ?? '', 'base64url').toString())
}

interface Asked {
  readonly issuer: { readonly baseUrl: string }
  readonly tokenIssuer: BearerIssuer
}

/** POSTs to the issuer with a Bearer token of these claims. */
export async function askIssuer(
  { issuer, tokenIssuer }: Asked,
  path: string,
  body: unknown,
  claims: Record<string, unknown> = {},
): ReturnType<typeof callJson> {
  const authorization = `Bearer ${await tokenIssuer.mint(claims)}`
  return callJson(`${issuer.baseUrl}/issuance/${path}`, { json: body, headers: { authorization } })
}

export interface ListedRecord {
  readonly id: string
  readonly vc_type: string
  readonly subject_id: string
  readonly organization_identifier: string
  readonly status: string
  readonly credential_id: string
  readonly creation_at: string
  readonly update_at: string
}

/** The records of an organization, newest first. */
export async function listRecords(
  system: Asked,
  organization = 'VATES-A12345678',
): Promise<ListedRecord[]> {
  const asked = { organization_identifiers: [organization] }
  const claims = { organization_identifier: organization }
  const { body } = await askIssuer(system, 'credential', asked, claims)
  return body as unknown as ListedRecord[]
}

export const revokeCredential = (
  system: IssuanceSystem,
  credentialId: unknown,
  claims?: Record<string, unknown>,
) => askIssuer(system, 'credential/revoke', { credential_id: credentialId }, claims)

/** The status of a record, as the issuer lists it. */
export async function readRecordStatus(system: IssuanceSystem, subjectId: string) {
  const records = await listRecords(system)
  return records.find(({ subject_id }) => subject_id === subjectId)?.status
}

/** A bit of a status list: gzip in base64url, the first bit is the highest of byte 0. */
export function statusBitOf(encodedList: string, index: number): number {
  const bits = gunzipSync(Buffer.from(encodedList, 'base64url'))
  expect(bits.length * 8).toBeGreaterThanOrEqual(131_072)
  return ((bits[index >> 3] ?? 0) >> (7 - (index & 7))) & 1
}

/** The offer in a link, by value. */
export const offerOf = (link: URL): CredentialOfferWire =>
  JSON.parse(link.searchParams.get('credential_offer') ?? '')

/** Redeems the offer in a link and requests its credential; returns the last response. */
export async function collectCredential(
  link: URL,
  { holder = createHolder(), types = credentialTypes } = {},
): ReturnType<typeof callJson> {
  const offer = offerOf(link)
  const issuer = offer.credential_issuer
  const token = await callJson(`${issuer}/token`, {
    form: {
      grant_type: grantType,
      'pre-authorized_code': codeOf(offer),
    },
  })
  if (token.status !== 200) return token
  const { access_token, c_nonce } = token.body
  const body = { ...createCredentialRequestBody(issuer, c_nonce, holder), types }
  return callJson(`${issuer}/credential`, {
    json: body,
    headers: { authorization: `Bearer ${access_token}` },
  })
}

/** Reads what a connector reports to its issuers about an issuance. */
export async function readIssuance(connectorUrl: string, subjectId: string): Promise<unknown> {
  const answer = await fetch(`${connectorUrl}/credentials/issued/${subjectId}`, {
    headers: { 'x-api-key': connectorApiKey },
  })
  return answer.json()
}
