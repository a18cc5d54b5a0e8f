import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { notFound } from '../errors.ts'
import type { CredentialRow, IssuanceRow } from '../tables.ts'

const zIssuedId = z.object({
  id: z.string().describe('credential_id, or the subject_id of the issuance'),
})

const zStatus = z.enum(['0x0', '0x1'])

/**
 * An issuance for the issuer: the credential that the id names, or the whole offer of a subject.
 * Status 0x0 is valid, 0x1 revoked.
 */
const zIssuedCredential = z.object({
  credential_id: z.string().nullable(),
  subject_id: z.string(),
  vc_names: z.array(z.string()),
  state: z.string(),
  status: zStatus,
  credentials: z
    .array(
      z.object({
        vc_name: z.string(),
        credential_id: z.string().nullable(),
        state: z.string(),
        status: zStatus,
      }),
    )
    .describe('Each credential that the wallet has requested'),
})

export interface FoundIssuance {
  readonly issuance: IssuanceRow
  /** The credential with that id; undefined for the id of a subject. */
  readonly credential?: CredentialRow
}

async function createIssuedCredential(
  { issuance, credential }: FoundIssuance,
  { issuances }: Dependencies,
): Promise<z.infer<typeof zIssuedCredential>> {
  const vcNames: readonly string[] = JSON.parse(issuance.vc_names)
  const credentials = await issuances.listCredentials(issuance.id)
  // The offer of a single credential has the state of that credential.
  const meant = credential ?? (vcNames.length === 1 ? credentials[0] : undefined)
  return {
    credential_id: meant?.credential_id ?? null,
    subject_id: issuance.subject_id,
    vc_names: [...vcNames],
    state: meant?.state ?? issuance.state,
    status: statusOf(meant ?? issuance),
    credentials: credentials.map((row) => ({
      vc_name: row.credential_type,
      credential_id: row.credential_id,
      state: row.state,
      status: statusOf(row),
    })),
  }
}

const statusOf = ({ revoked }: { readonly revoked: number }) => (revoked === 1 ? '0x1' : '0x0')

/** Finds the issuance of an id; throws 404 `not_found` if there is none. */
async function findIssued(id: string, { issuances }: Dependencies): Promise<FoundIssuance> {
  const found = await issuances.findByCredentialId(id)
  const issuance = found?.issuance ?? (await issuances.findBySubjectId(id))
  if (issuance) return { ...found, issuance }
  throw notFound('This connector has not issued such a credential.')
}

export const getIssuedCredential = defineRoute<Dependencies>()({
  method: 'get',
  path: '/credentials/issued/:id',
  summary: 'Status of an issuance',
  tags: ['issuer'],
  auth: 'apiKey',
  request: { params: zIssuedId },
  responses: { 200: { description: 'The issuance', body: zIssuedCredential } },
  errors: ['not_found'],
  async handle({ params }, dependencies) {
    const found = await findIssued(params.id, dependencies)
    return { status: 200, body: await createIssuedCredential(found, dependencies) }
  },
})

/**
 * Revokes a credential, or all credentials of a subject and its open offer.
 *
 * @assumption A-39
 */
export const postIssuedCredentialStatus = defineRoute<Dependencies>()({
  method: 'post',
  path: '/credentials/issued/:id/status',
  summary: 'Revoke an issued credential',
  tags: ['issuer'],
  auth: 'apiKey',
  request: {
    params: zIssuedId,
    body: z.object({ status: z.literal('0x1').describe('Revoked, permanently') }),
  },
  responses: { 200: { description: 'The issuance, revoked', body: zIssuedCredential } },
  errors: ['not_found', 'invalid_request'],
  async handle({ params }, dependencies) {
    const { issuance, credential } = await findIssued(params.id, dependencies)
    if (credential) await dependencies.issuances.revokeCredential(credential)
    else await dependencies.issuances.revokeOffer(issuance.id)
    const after = await findIssued(params.id, dependencies)
    return { status: 200, body: await createIssuedCredential(after, dependencies) }
  },
})
