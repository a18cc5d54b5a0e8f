import type { Request } from 'express'
import type { JWTPayload } from 'jose'
import { z } from 'zod'
import { zClaimText } from '#core/lear-credential/lear-credential.ts'
import { zPowers } from '#core/power/power.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { examplePower, exampleSubjectId } from '../domain/examples.ts'
import { mailLanguages } from '../domain/offer-mail.ts'
import { refuseIncomplete } from '../errors.ts'
import { issueForEmployee, issueForRepresentative } from '../operations/issuance.ts'

const zMandatePowers = zPowers.describe('The powers of the mandate')
const zName = zClaimText.trim().optional()

/**
 * An address without quotes and with a domain name (RFC 5322, 3.4.1; RFC 5321, 4.5.3.1). The
 * pattern of zod rejects characters such as & and /, and top-level domains such as xn--p1ai.
 */
const mailAddress =
  /^(?=.{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i

/** The errors of the two issuance endpoints. */
const issuanceErrors = [
  'invalid_token',
  'missing_data',
  'powers_not_authorized',
  'vc_type_not_configured',
  'connector_profile_not_configured',
  'connector_error',
]

const senderOf = (payload: JWTPayload, request: Request) => ({
  payload,
  authorization: request.get('authorization') ?? '',
})

/**
 * Issues for an employee, who gets the offer by mail (profile/issuer, Endpoints). The response says
 * whether the email was sent or is queued.
 *
 * @row 1.what-the-service-does.1 1.endpoints/credential-issuer.5
 * @assumption A-41
 */
export const postEmployee = defineRoute<Dependencies, JWTPayload>()({
  method: 'post',
  path: '/issuance/employee',
  summary: "An employee's credential, offered by email",
  auth: 'bearer',
  request: {
    body: z.object({
      email: z.email({ pattern: mailAddress }).max(254).describe('Recipient of the offer'),
      power: zMandatePowers,
      employeeId: zName.describe('Default: generated'),
      firstName: zName.describe('Default: derived from the email address'),
      lastName: zName.describe('Default: derived from the email address'),
      language: z
        .enum(mailLanguages)
        .optional()
        .describe("Language of the email; default: the organization's, otherwise the issuer's"),
    }),
    example: { email: 'eva.sanz@almenara.example', power: [examplePower] },
  },
  responses: {
    200: {
      description: 'The email was sent, or is queued',
      body: z.object({ message: z.string() }),
      example: { message: 'The credential offer has been sent to eva.sanz@almenara.example' },
    },
  },
  errors: [...issuanceErrors, 'recipient_refused'],
  invalidInput: refuseIncomplete,
  async handle({ body, principal, request }, dependencies) {
    const outcome = await issueForEmployee(body, senderOf(principal, request), dependencies)
    const message =
      outcome === 'sent'
        ? `The credential offer has been sent to ${body.email}`
        : `The credential offer is queued and will be sent to ${body.email}`
    return { status: 200, body: { message } }
  },
})

/**
 * Issues for the authenticated representative themselves (profile/issuer, Endpoints).
 *
 * @row 1.what-the-service-does.1 1.endpoints/credential-issuer.4 1.endpoints/credential-issuer.13
 */
export const postRepresentative = defineRoute<Dependencies, JWTPayload>()({
  method: 'post',
  path: '/issuance/representative',
  summary: "A representative's own credential, offered as a QR code",
  auth: 'bearer',
  request: {
    body: z.object({ power: zMandatePowers }),
    example: { power: [examplePower] },
  },
  responses: {
    200: { description: 'QR code of the credential offer', contentType: 'image/png' },
  },
  errors: issuanceErrors,
  invalidInput: refuseIncomplete,
  async handle({ body, principal, request }, dependencies) {
    return {
      status: 200,
      body: await issueForRepresentative(body.power, senderOf(principal, request), dependencies),
      contentType: 'image/png',
    }
  },
})

/**
 * The supported credential types, the same for every subject.
 *
 * @row 1.endpoints/credential-issuer.6
 * @assumption A-43
 */
export const postIdentifiers = defineRoute<Dependencies, unknown>()({
  method: 'post',
  path: '/issuance/identifiers',
  summary: 'The credential types that a subject can get',
  auth: 'bearer',
  request: {
    body: z.object({ subject_id: z.string().min(1).describe('The subject') }),
    example: { subject_id: exampleSubjectId },
  },
  responses: {
    200: {
      description: 'The configured types',
      body: z.object({ vc_types: z.array(z.string()) }),
      example: { vc_types: ['OrgPortalLearCredential'] },
    },
  },
  errors: ['invalid_token', 'invalid_request'],
  handle(_input, { config }) {
    return { status: 200, body: { vc_types: config.credentialTypes.map(({ vcType }) => vcType) } }
  },
})
