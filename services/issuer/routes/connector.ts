import { z } from 'zod'
import { zMandate } from '#core/lear-credential/lear-credential.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { exampleCredentialId, exampleMandate, exampleSubjectId } from '../domain/examples.ts'
import { notifiedEvents } from '../domain/record-states.ts'
import { applyNotification, readClaims } from '../operations/serve-connector.ts'

interface Ids {
  readonly subject_id?: string | undefined
  readonly credential_id?: string | undefined
}

/** A subject_id or a credential_id identifies a record. */
const hasId = ({ subject_id, credential_id }: Ids) => (subject_id ?? credential_id) !== undefined

const missingId = {
  path: ['subject_id'],
  message: 'subject_id or credential_id is required',
}

/** The same condition for the documentation. */
function eitherId<
  Shape extends { readonly subject_id: z.ZodOptional; readonly credential_id: z.ZodOptional },
>(members: z.ZodObject<Shape, z.core.$loose>) {
  const { subject_id, credential_id } = members.shape
  return z.intersection(
    members,
    z.union([
      z.looseObject({ subject_id: subject_id.unwrap() }),
      z.looseObject({ credential_id: credential_id.unwrap() }),
    ]),
  )
}

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
 * The content of a credential, for the Connector. A revoked record has nothing to issue any more:
 * 404. In addition to the assumption's members, the response has the credentialStatus and the
 * credential's expiry in Unix seconds.
 *
 * @row 1.endpoints/credential-issuer.10..11
 * @assumption A-20
 */
export const postClaims = defineRoute<Dependencies>()({
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
  async handle({ body }, dependencies) {
    const { mandate, credentialStatus, ...claims } = await readClaims(body, dependencies)
    return {
      status: 200,
      body: {
        claims: { mandate },
        subject_claims: { mandate },
        additional_claims: {},
        context_claims: {},
        credential_id: claims.credentialId,
        vc_type: claims.vcType,
        ...(credentialStatus ? { credential_status: credentialStatus } : {}),
        valid_until: claims.validUntil,
      },
    }
  },
})

/** The format of the profile (profile/issuer, Records), in any case (RFC 9562). */
const zCredentialId = z
  .string()
  .regex(/^urn:uuid:[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'must be urn:uuid:<uuid>')
  .toLowerCase()

const zEvent = z.enum(notifiedEvents)

const zNotificationMembers = z.looseObject({
  subject_id: z.string().min(1).optional(),
  credential_id: zCredentialId.optional(),
  event: zEvent.optional().describe('What happened; type and status are accepted as synonyms'),
  vc_type: z.string().optional().describe("Selects one of the subject's credentials"),
  type: z.unknown().optional(),
  status: z.unknown().optional(),
  app: z.string().optional(),
  profile: z.string().optional().describe('Name of the Connector profile'),
  instance: z.string().optional(),
  reason: z.string().optional(),
})

const zNotification = zNotificationMembers
  .transform(({ event, type, status, ...rest }, context) => {
    const parsed = zEvent.safeParse(event ?? type ?? status)
    if (parsed.success) return { ...rest, event: parsed.data }
    context.addIssue({ code: 'custom', path: ['event'], message: 'must name a known event' })
    return z.NEVER
  })
  .refine(hasId, missingId)

/**
 * The Connector's confirmation of an issuance (profile/README, Common rules). It may be repeated.
 *
 * @row 1.endpoints/credential-issuer.9 1.endpoints/credential-issuer.11 1.events.1..2
 * @assumption A-19
 */
export const postNotifications = defineRoute<Dependencies>()({
  method: 'post',
  path: '/issuance/notifications',
  summary: 'Confirmation of an issuance by the Connector',
  auth: 'apiKey',
  request: {
    body: zNotification,
    documented: z.intersection(
      eitherId(zNotificationMembers),
      z.union([
        z.looseObject({ event: zEvent }),
        z.looseObject({ type: zEvent }),
        z.looseObject({ status: zEvent }),
      ]),
    ),
    example: { subject_id: exampleSubjectId, event: 'issued' },
  },
  responses: {
    200: {
      description: 'Taken',
      body: z.object({ message: z.string(), credential_id: z.string(), status: z.string() }),
      example: {
        message: 'The notification was accepted',
        credential_id: exampleCredentialId,
        status: 'issued',
      },
    },
  },
  errors: ['invalid_api_key', 'invalid_request', 'credential_not_found', 'credential_id_mismatch'],
  async handle({ body }, { records }) {
    const after = await applyNotification(body, records)
    return {
      status: 200,
      body: {
        message: 'The notification was accepted',
        credential_id: after.credential_id,
        status: after.status,
      },
    }
  },
})
