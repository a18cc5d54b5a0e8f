import { z } from 'zod'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { Mandate } from '#core/lear-credential/lear-credential.ts'
import { type Power, zPowers } from '#core/power/power.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { Organization } from '#scenarios/harness/z-testbed-file.ts'
import { createMandate } from '#services/issuer/domain/create-mandate.ts'
import { createServiceClient } from '#testbed/services/service-client.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import { type ControlDependencies, findEnvironment } from '../dependencies.ts'
import { refusedByService, unknownOrganization, unknownVcType } from '../errors.ts'

/** Options of an offer, independent of what creates it. */
export const zOfferOptions = z.strictObject({
  tx_code: z
    .strictObject({
      length: z.int().min(1).max(64).optional(),
      input_mode: z.enum(['numeric', 'text']).optional(),
      description: z.string().min(1).max(300).optional(),
    })
    .optional()
    .describe('Requires a PIN from the wallet'),
  deferred_seconds: z
    .int()
    .min(0)
    .max(86_400)
    .optional()
    .describe('How long the wallet has to poll for the credential'),
  by: z
    .enum(['value', 'reference'])
    .default('value')
    .describe('Whether the link contains the offer or its address. Default: value'),
  expires_in: z.int().min(1).max(86_400).optional().describe('Seconds'),
})

function findOrganization({ context }: RunningEnvironment, identifier?: string): Organization {
  const [first, ...others] = context.organizations
  if (identifier === undefined) return first
  const found = [first, ...others].find((each) => each.organizationIdentifier === identifier)
  if (found !== undefined) return found
  throw unknownOrganization()
}

interface RepresentativeMandateOptions {
  /** Default: the first organization. */
  readonly organizationIdentifier?: string | undefined
  /** Default: all powers that the organization may grant. */
  readonly power?: readonly Power[] | undefined
}

/** The mandate of an organization's representative; 404 `unknown_organization`. */
export function createRepresentativeMandate(
  running: RunningEnvironment,
  { organizationIdentifier: identifier, power }: RepresentativeMandateOptions,
): Mandate {
  const organization = findOrganization(running, identifier)
  const { organizationIdentifier, representative, authorizedPowers } = organization
  const { email, userIdentifier, givenName: firstName, familyName: lastName } = representative
  const person = { email, firstName, lastName }
  return createMandate(
    { organizationIdentifier, organization: organization.organization, userIdentifier, ...person },
    { employeeId: userIdentifier, ...person },
    power ?? authorizedPowers,
  )
}

const zVcType = z.string().min(1).max(256)

const zRequest = zOfferOptions.extend({
  vc_type: zVcType.optional().describe('Default: that of representatives'),
  vc_types: z
    .array(zVcType)
    .min(1)
    .max(20)
    .optional()
    .describe('Instead of vc_type: one credential of each'),
  organization_identifier: z.string().max(256).optional().describe('Default: the first known one'),
  power: zPowers.optional().describe('Default: all powers that the organization may grant'),
})

function refuseUnknownType(problem: unknown): never {
  if (!isTestbedError(problem) || problem.code !== 'vc_type_not_configured') throw problem
  throw unknownVcType(problem.message)
}

/** An offer with exactly these properties, created through the connector like any other. */
export const createOffer = defineRoute<ControlDependencies>()({
  method: 'post',
  path: '/control/:env/offers',
  summary: 'Create a credential offer with exactly these properties',
  auth: 'control',
  request: { params: z.object({ env: z.string() }), body: zRequest },
  responses: {
    200: {
      description: 'The offer, and the PIN if it requires one',
      body: z.object({ offer_uri: z.string(), pin: z.string().optional(), subject_id: z.string() }),
    },
  },
  errors: ['invalid_request', 'unknown_environment', 'unknown_organization', 'unknown_vc_type'],
  async handle({ params, body }, dependencies) {
    const running = findEnvironment(dependencies, params.env)
    const { organization_identifier: organizationIdentifier, power } = body
    const { tx_code, deferred_seconds, expires_in, vc_type, vc_types } = body
    const vcTypes = vc_types ?? (vc_type === undefined ? undefined : [vc_type])
    const offer = await running.services.issuer
      .createOffer({
        mandate: createRepresentativeMandate(running, { organizationIdentifier, power }),
        delivery: body.by,
        ...(vcTypes !== undefined && { vcTypes }),
        ...(deferred_seconds !== undefined && { deferredSeconds: deferred_seconds }),
        ...(expires_in !== undefined && { expiresIn: expires_in }),
        ...(tx_code !== undefined && {
          txCode: {
            ...(tx_code.length !== undefined && { length: tx_code.length }),
            ...(tx_code.input_mode !== undefined && { inputMode: tx_code.input_mode }),
            ...(tx_code.description !== undefined && { description: tx_code.description }),
          },
        }),
      })
      .catch(refuseUnknownType)
    const { offerUri, pin, subjectId } = offer
    return {
      status: 200,
      body: { offer_uri: offerUri, ...(pin !== undefined && { pin }), subject_id: subjectId },
    }
  },
})

const zBearerTokenRequest = z.strictObject({
  organization_identifier: z.string().min(1).max(256).describe('Whose representative'),
  email: z.string().max(320).optional().describe('Selects a representative, if there are several'),
  omit: z.array(z.string().max(64)).max(32).optional().describe('Claims to omit'),
  claims: z.record(z.string().max(64), z.unknown()).optional().describe('Claims to add or change'),
  expires_in: z.int().optional().describe('Lifetime in seconds'),
})

export const createBearerToken = defineRoute<ControlDependencies>()({
  method: 'post',
  path: '/control/:env/bearer-tokens',
  summary: 'Create a Bearer token of a representative, issued by the token issuer',
  auth: 'control',
  request: { params: z.object({ env: z.string() }), body: zBearerTokenRequest },
  responses: {
    200: { description: 'The token', body: z.object({ access_token: z.string() }) },
  },
  errors: ['invalid_request', 'unknown_environment', 'unknown_organization'],
  async handle({ params, body }, dependencies) {
    const { context } = findEnvironment(dependencies, params.env)
    const tokenIssuer = createServiceClient(context, 'token-issuer', { caller: 'control' })
    const answer = await tokenIssuer.postJson('/internal/bearer-tokens', body)
    if (answer.status === 200) return { status: 200, body: answer.json }
    throw refusedByService(answer.status, answer.json, 'The token issuer returned no token.')
  },
})
