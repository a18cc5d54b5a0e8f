import { z } from 'zod'
import { zMandate } from '#core/lear-credential/lear-credential.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { IssuerDependencies } from '../dependencies.ts'
import { exampleCredentialId, exampleMandate, exampleSubjectId } from '../domain/examples.ts'
import { credentialNotFound } from '../errors.ts'
import { findRecord } from '../operations/find-record.ts'
import { eitherId, hasId, missingId } from './either-id.ts'

const zClaimsMembers = z.looseObject({
  subject_id: z.string().min(1).optional(),
  credential_id: z.string().min(1).optional(),
  vc_type: z.string().optional(),
  vc_identifier: z.string().optional(),
  app: z.string().optional(),
  profile: z.string().optional(),
  instance: z.string().optional(),
})

const zClaimsRequest = zClaimsMembers.refine(hasId, missingId)

/**
 * What the Connector puts into a credential. A revoked record has nothing to issue any more: 404.
 * Beyond the assumption's members the answer tells the credentialStatus and, in Unix seconds, until
 * when the credential is to be valid.
 *
 * @row 1.endpoints/credential-issuer.10..11
 * @assumption A-20
 */
export const postClaims = defineRoute<IssuerDependencies>()({
  method: 'post',
  path: '/issuance/claims',
  summary: 'The claims of a credential, for the Connector',
  auth: 'apiKey',
  request: {
    body: zClaimsRequest,
    documented: eitherId(zClaimsMembers),
    example: { subject_id: exampleSubjectId, vc_type: 'OrgPortalLearCredential' },
  },
  responses: {
    200: {
      description: 'The claims',
      body: z.object({
        claims: z.object({ mandate: zMandate }),
        subject_claims: z.object({ mandate: zMandate }),
        additional_claims: z.object({}),
        context_claims: z.object({}),
        credential_id: z.string(),
        vc_type: z.string(),
        credential_status: z.looseObject({}).optional(),
        valid_until: z.int(),
      }),
      example: {
        claims: { mandate: exampleMandate },
        subject_claims: { mandate: exampleMandate },
        additional_claims: {},
        context_claims: {},
        credential_id: exampleCredentialId,
        vc_type: 'OrgPortalLearCredential',
        valid_until: 1_826_000_000,
      },
    },
  },
  errors: ['invalid_api_key', 'invalid_request', 'credential_not_found'],
  async handle({ body }, { records, config, runtime, statusLists }) {
    const { subject_id, credential_id, vc_type, profile } = body
    const key = { subjectId: subject_id, credentialId: credential_id, vcType: vc_type }
    const record = await findRecord(key, records)
    if (
      !record ||
      record.status === 'revoked' ||
      (vc_type !== undefined && vc_type !== record.vc_type) ||
      (profile !== undefined && profile !== record.profile)
    ) {
      throw credentialNotFound()
    }
    const type = config.credentialTypes.find(({ vcType }) => vcType === record.vc_type)
    const validUntil =
      record.status === 'pending' || record.valid_until === null
        ? runtime.clock.seconds() + (type?.validitySeconds ?? 0)
        : record.valid_until
    if (record.status === 'pending') await records.setValidUntil(record.id, validUntil)
    const mandate: unknown = JSON.parse(record.mandate)
    const credentialStatus = statusLists.entryOf(Number(record.status_index))
    return {
      status: 200,
      body: {
        claims: { mandate },
        subject_claims: { mandate },
        additional_claims: {},
        context_claims: {},
        credential_id: record.credential_id,
        vc_type: record.vc_type,
        ...(credentialStatus ? { credential_status: credentialStatus } : {}),
        valid_until: validUntil,
      },
    }
  },
})
