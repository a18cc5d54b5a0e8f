import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { IssuerDependencies } from '../dependencies.ts'
import { exampleCredentialId, exampleSubjectId } from '../domain/examples.ts'
import { notifiedEvents } from '../domain/record-states.ts'
import { applyNotification } from '../operations/apply-notification.ts'
import { eitherId, hasId, missingId } from './either-id.ts'

/** The shape that the document gives (Document 1, IssuedCredential); any case, as RFC 9562 has it. */
const zCredentialId = z
  .string()
  .regex(/^urn:uuid:[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'must be urn:uuid:<uuid>')
  .toLowerCase()

const zEvent = z.enum(notifiedEvents)

const zNotificationMembers = z.looseObject({
  subject_id: z.string().min(1).optional(),
  credential_id: zCredentialId.optional(),
  event: zEvent.optional().describe('What happened; type and status are taken for it too'),
  vc_type: z.string().optional().describe("Which of the subject's credentials"),
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
    context.addIssue({ code: 'custom', path: ['event'], message: 'names no known event' })
    return z.NEVER
  })
  .refine(hasId, missingId)

/**
 * The Connector's confirmation of an issuance (Document 1, Events). It may be repeated.
 *
 * @row 1.endpoints/credential-issuer.9 1.endpoints/credential-issuer.11 1.events.1..2
 * @assumption A-19
 */
export const postNotifications = defineRoute<IssuerDependencies>()({
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
        message: 'The notification has been taken',
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
        message: 'The notification has been taken',
        credential_id: after.credential_id,
        status: after.status,
      },
    }
  },
})
