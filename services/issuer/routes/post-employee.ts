import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { z } from 'zod'
import { zClaimText } from '#core/lear-credential/lear-credential.ts'
import { zPowers } from '#core/power/power.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { IssuerConfig } from '../config.ts'
import type { IssuerDependencies } from '../dependencies.ts'
import { createMandate } from '../domain/create-mandate.ts'
import { examplePower } from '../domain/examples.ts'
import { mailLanguages } from '../domain/offer-mail.ts'
import { recipientRefused, refuseIncomplete } from '../errors.ts'
import { authorizeIssuance, createRecord, selectProfile } from '../operations/issuance.ts'

const zName = zClaimText.trim().optional()

/**
 * Issues for an employee, who gets the offer by mail (Document 1, Credential Issuer). The answer
 * says whether the mail was sent or is queued, and never more than is true.
 *
 * @row 1.what-the-service-does.1 1.endpoints/credential-issuer.5
 * @assumption A-41
 */
export const postEmployee = defineRoute<IssuerDependencies, JWTPayload>()({
  method: 'post',
  path: '/issuance/employee',
  summary: "An employee's credential, offered by e-mail",
  auth: 'bearer',
  request: {
    body: z.object({
      email: z.email().max(254).describe('Where the offer goes'),
      power: zPowers.describe('The powers to put into the mandate'),
      employeeId: zName.describe('Default: a generated one'),
      firstName: zName.describe('Default: taken from the address'),
      lastName: zName.describe('Default: taken from the address'),
      language: z
        .enum(mailLanguages)
        .optional()
        .describe("Language of the mail; default: the organization's, else the issuer's"),
    }),
    example: { email: 'eva.sanz@almenara.example', power: [examplePower] },
  },
  responses: {
    200: {
      description: 'The mail was sent, or is queued',
      body: z.object({ message: z.string() }),
      example: { message: 'The credential offer has been sent to eva.sanz@almenara.example' },
    },
  },
  errors: [
    'invalid_token',
    'missing_data',
    'powers_not_authorized',
    'vc_type_not_configured',
    'connector_profile_not_configured',
    'connector_error',
    'recipient_refused',
  ],
  invalidInput: refuseIncomplete,
  async handle({ body, principal, request }, dependencies) {
    const { config, records, mails } = dependencies
    const authorization = request.get('authorization') ?? ''
    const claims = await authorizeIssuance(principal, body.power, authorization, dependencies)
    const { type } = selectProfile(config.employeeVcType, dependencies)
    const { email, employeeId = randomUUID(), firstName, lastName, power } = body
    const { organizationIdentifier } = claims
    const language =
      body.language ?? languageOf(organizationIdentifier, config) ?? config.mailLanguage
    const mandate = createMandate(claims, { employeeId, email, firstName, lastName }, power)
    const record = createRecord(type, organizationIdentifier, mandate)
    const mail = mails.prepare(record.id, email, language)
    await records.create(record, mail)
    const outcome = await mails.attempt(mail).catch(async (error: unknown) => {
      // The caller is told that nothing was sent, so nothing may be sent later.
      await mails.cancel(mail)
      throw error
    })
    if (outcome === 'refused') throw recipientRefused()
    const message =
      outcome === 'sent'
        ? `The credential offer has been sent to ${email}`
        : `The credential offer is queued and will be sent to ${email}`
    return { status: 200, body: { message } }
  },
})

/** Identifiers are anybody's text: none may be taken for a member that every object has. */
function languageOf(organizationIdentifier: string, { organizationLanguages }: IssuerConfig) {
  return Object.hasOwn(organizationLanguages, organizationIdentifier)
    ? organizationLanguages[organizationIdentifier]
    : undefined
}
