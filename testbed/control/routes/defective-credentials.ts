import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { allDefects, findDefect } from '#conformance/world/defects/create-credential-with-defect.ts'
import type { Defect } from '#conformance/world/defects/defect.ts'
import { zPowers } from '#core/power/power.ts'
import { defineRoute } from '#kit/define-route.ts'
import {
  createDefectiveCredential,
  createRevokedStatus,
  type DefectRecipe,
} from '#testbed/services/defects/prepare-defective-credential.ts'
import { registerDefectiveIssuer } from '#testbed/services/defects/register-defective-issuer.ts'
import { mainCredentialTypeOf } from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import { type ControlDependencies, findEnvironment } from '../dependencies.ts'
import { unknownDefect } from '../errors.ts'
import { createRepresentativeMandate, zOfferOptions } from './offers.ts'

const zDefect = z.object({
  name: z.string(),
  description: z.string(),
  rule: z
    .string()
    .nullable()
    .describe('The verification rule that it breaks; null for a valid credential'),
  entails: z.array(z.string()).describe('Other rules that cannot pass as a consequence'),
})

const zRequest = zOfferOptions.extend({
  defect: z.string().max(64).describe('Name of the defect'),
  holder_did: z
    .string()
    .regex(/^did:[a-z0-9]+:[^#?\s]{1,1024}$/)
    .optional()
    .describe('DID of the holder. Default: the holder who collects the offer'),
  organization_identifier: z.string().max(256).optional().describe('Default: the first known one'),
  power: zPowers.optional().describe('Default: all powers that the organization may grant'),
})

/** The defects that a credential can be ordered with, and the rule that each breaks. */
export const listDefects = defineRoute<ControlDependencies>()({
  method: 'get',
  path: '/control/:env/defective-credentials',
  summary: 'List the defects that a credential can have',
  auth: 'control',
  request: { params: z.object({ env: z.string() }) },
  responses: {
    200: { description: 'The defects', body: z.object({ defects: z.array(zDefect) }) },
  },
  errors: ['unknown_environment'],
  handle({ params }, dependencies) {
    findEnvironment(dependencies, params.env)
    const defects = allDefects.map(({ name, description, rule = null, entails = [] }) => ({
      name,
      description,
      rule,
      entails,
    }))
    return { status: 200, body: { defects } }
  },
})

/**
 * A credential with one named defect, and an offer from which a wallet collects it like any other.
 */
export const createDefective = defineRoute<ControlDependencies>()({
  method: 'post',
  path: '/control/:env/defective-credentials',
  summary: 'Create an offer of a credential with one named defect',
  auth: 'control',
  request: { params: z.object({ env: z.string() }), body: zRequest },
  responses: {
    200: {
      description: 'The offer, and the credential if the request specifies the holder',
      body: z.object({
        credential: z.string().optional(),
        offer_uri: z.string(),
        pin: z.string().optional(),
      }),
    },
  },
  errors: [
    'invalid_request',
    'unknown_environment',
    'unknown_organization',
    'unknown_defect',
    'no_status_list',
  ],
  async handle({ params, body }, dependencies) {
    const running = findEnvironment(dependencies, params.env)
    const { credential, offerUri, pin } = await orderDefectiveCredential(running, body)
    return {
      status: 200,
      body: {
        ...(credential === undefined ? {} : { credential }),
        offer_uri: offerUri,
        ...(pin === undefined ? {} : { pin }),
      },
    }
  },
})

export interface OrderedCredential {
  /** Only if the holder was given. */
  readonly credential?: string
  readonly offerUri: string
  readonly pin?: string
}

/**
 * Prepares a credential with one named defect, and creates its offer.
 * @throws TestbedError `unknown_defect`, `unknown_organization` (404)
 */
export async function orderDefectiveCredential(
  running: RunningEnvironment,
  body: z.output<typeof zRequest>,
): Promise<OrderedCredential> {
  const defect = requireDefect(body.defect)
  const { organization_identifier: organizationIdentifier, power, holder_did: holderDid } = body
  const mandate = createRepresentativeMandate(running, { organizationIdentifier, power })
  if (defect.issuer) await register(running, defect.issuer)
  const revokedStatus = defect.revoked
    ? await createRevokedStatus(running.context, running.services.issuer, mandate)
    : undefined
  const order = { defect, mandate, revokedStatus }
  const made = holderDid
    ? {
        holderDid,
        credential: createDefectiveCredential(running.context, { ...order, holderDid }),
      }
    : undefined
  const recipe: DefectRecipe = { ...order, defect: defect.name, made }
  const { offerUri, pin } = await offer(running, recipe, body)
  return {
    ...(made && { credential: made.credential }),
    offerUri,
    ...(pin !== undefined && { pin }),
  }
}

function requireDefect(name: string): Defect {
  const defect = findDefect(name)
  if (defect) return defect
  throw unknownDefect(
    name,
    allDefects.map((each) => each.name),
  )
}

const registering = new WeakMap<RunningEnvironment, Promise<void>>()

/** One after the other, because the same accounts sign for several issuers. */
function register(running: RunningEnvironment, name: NonNullable<Defect['issuer']>): Promise<void> {
  const { context, chain } = running
  const before = registering.get(running) ?? Promise.resolve()
  const registered = before
    .catch(() => {})
    .then(() => registerDefectiveIssuer(context, chain, name))
  registering.set(running, registered)
  return registered
}

function offer(
  { services: { connector }, context }: RunningEnvironment,
  recipe: DefectRecipe,
  { tx_code, deferred_seconds, expires_in, by }: z.output<typeof zOfferOptions>,
) {
  const { length, input_mode: inputMode = 'numeric', description } = tx_code ?? {}
  return connector.createPreparedOffer({
    vcNames: [mainCredentialTypeOf(context).vcType],
    subjectId: randomUUID(),
    recipe: JSON.stringify(recipe),
    expiresIn: expires_in,
    deferredSeconds: deferred_seconds,
    delivery: by,
    ...(tx_code ? { txCode: { length, inputMode, description } } : {}),
  })
}
