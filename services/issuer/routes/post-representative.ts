import type { JWTPayload } from 'jose'
import { z } from 'zod'
import { zPowers } from '#core/power/power.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { IssuerDependencies } from '../dependencies.ts'
import { createMandate } from '../domain/create-mandate.ts'
import { examplePower } from '../domain/examples.ts'
import { refuseIncomplete } from '../errors.ts'
import { authorizeIssuance, createRecord, selectProfile } from '../operations/issuance.ts'

/**
 * Issues for the authenticated representative themselves (Document 1, Credential Issuer).
 *
 * @row 1.what-the-service-does.1 1.endpoints/credential-issuer.4 1.endpoints/credential-issuer.13
 */
export const postRepresentative = defineRoute<IssuerDependencies, JWTPayload>()({
  method: 'post',
  path: '/issuance/representative',
  summary: "A representative's own credential, offered as a QR code",
  auth: 'bearer',
  request: {
    body: z.object({ power: zPowers.describe('The powers to put into the mandate') }),
    example: { power: [examplePower] },
  },
  responses: {
    200: { description: 'QR code of the credential offer', contentType: 'image/png' },
  },
  errors: [
    'invalid_token',
    'missing_data',
    'powers_not_authorized',
    'vc_type_not_configured',
    'connector_profile_not_configured',
    'connector_error',
  ],
  invalidInput: refuseIncomplete,
  async handle({ body, principal, request }, dependencies) {
    const { config, records } = dependencies
    const authorization = request.get('authorization') ?? ''
    const claims = await authorizeIssuance(principal, body.power, authorization, dependencies)
    const { type, connector } = selectProfile(config.representativeVcType, dependencies)
    const { userIdentifier: employeeId, email, firstName, lastName } = claims
    const mandate = createMandate(claims, { employeeId, email, firstName, lastName }, body.power)
    const record = createRecord(type, claims.organizationIdentifier, mandate)
    await records.create(record)
    const { code } = await connector.createOffer({
      vcTypes: [type.vcType],
      subjectId: record.subject_id,
      expiresIn: config.qrExpirationTime,
    })
    return {
      status: 200,
      body: await connector.readOfferQr(code),
      contentType: 'image/png',
      headers: { 'cache-control': 'no-store' },
    }
  },
})
