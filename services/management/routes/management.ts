import { setTimeout as wait } from 'node:timers/promises'
import type { Request } from 'express'
import { z } from 'zod'
import { zPower } from '#core/power/power.ts'
import { defineRoute, type Reply } from '#kit/define-route.ts'
import type { OrganizationStore } from '../adapters/organization-store.ts'
import { type Failure, type FailureSwitch, zFailure } from '../domain/failures.ts'
import {
  exampleOrganization,
  zOrganization,
  zOrganizationParams,
  zOrganizationSettings,
} from '../domain/organization.ts'
import { askedToFail, organizationNotFound } from '../errors.ts'

interface Dependencies {
  readonly organizations: OrganizationStore
  readonly failures: FailureSwitch
}

/**
 * The authorized powers of an organization, or the simulated failure.
 *
 * @assumption A-24
 */
export const getOrganization = defineRoute<Dependencies>()({
  method: 'get',
  path: '/managements/organization/:organization_identifier',
  summary: 'Read the role and the authorized powers of an organization',
  tags: ['for issuers'],
  auth: 'bearer',
  request: { params: zOrganizationParams },
  responses: {
    200: {
      description: 'The organization; role is null if it may not grant any power',
      body: z.object({
        organization_identifier: z.string(),
        role: z.object({ type: z.string(), policies: z.array(zPower) }).nullable(),
      }),
      example: {
        organization_identifier: 'VATES-A12345678',
        role: {
          type: 'LEGAL_REPRESENTATIVE',
          policies: [
            { type: 'domain', domain: 'ORG', function: 'Onboarding', action: ['execute'] },
          ],
        },
      },
    },
  },
  errors: ['not_found', 'invalid_token'],
  async handle({ params, request }, { organizations, failures }) {
    const identifier = params.organization_identifier
    const failure = failures.of(identifier)
    const failed = failure && (await fail(failure, request))
    if (failed) return failed
    const organization = await organizations.find(identifier)
    if (!organization) throw organizationNotFound()
    const { role_type: type, authorized_powers: policies } = organization
    const role = policies === null ? null : { type, policies }
    return { status: 200, body: { organization_identifier: identifier, role } }
  },
})

/** Simulates a failure; undefined if the response is late but correct. */
async function fail({ failure, seconds }: Failure, request: Request): Promise<Reply | undefined> {
  const contentType = 'application/json'
  switch (failure) {
    case 'slow':
      await waitFor(seconds, request)
      return undefined
    case 'down':
      request.socket.destroy()
      return { status: 503 }
    case 'error':
      throw askedToFail()
    case 'not-found':
      throw organizationNotFound()
    case 'malformed':
      return { status: 200, body: '{"organization_identifier": "VATES-', contentType }
    case 'wrong-shape':
      return { status: 200, body: { organization: 7, role: { policies: 'all of them' } } }
    case 'wrong-organization':
      return {
        status: 200,
        body: {
          organization_identifier: 'VATES-SOMEBODY-ELSE',
          role: {
            type: 'ANY',
            policies: [{ type: '*', domain: '*', function: '*', action: ['*'] }],
          },
        },
      }
  }
}

/** Waits for the delay, or until the client disconnects. */
async function waitFor(seconds: number, request: Request): Promise<void> {
  const gone = new AbortController()
  request.socket.once('close', () => gone.abort())
  await wait(seconds * 1000, undefined, { signal: gone.signal, ref: false }).catch(() => {})
}

export const listOrganizations = defineRoute<Dependencies>()({
  method: 'get',
  path: '/stand-in/organizations',
  summary: 'List all organizations and their powers',
  tags: ['operation of the stand-in'],
  auth: 'apiKey',
  responses: {
    200: {
      description: 'The organizations',
      body: z.object({ organizations: z.array(zOrganization) }),
      example: { organizations: [exampleOrganization] },
    },
  },
  errors: ['invalid_api_key'],
  async handle(_input, { organizations }) {
    return { status: 200, body: { organizations: await organizations.list() } }
  },
})

export const putOrganization = defineRoute<Dependencies>()({
  method: 'put',
  path: '/stand-in/organizations/:organization_identifier',
  summary: 'Add an organization, or replace its powers',
  tags: ['operation of the stand-in'],
  auth: 'apiKey',
  request: {
    params: zOrganizationParams,
    body: zOrganizationSettings,
    example: { authorized_powers: exampleOrganization.authorized_powers },
  },
  responses: {
    200: {
      description: 'The updated organization',
      body: zOrganization,
      example: exampleOrganization,
    },
  },
  errors: ['invalid_request', 'invalid_api_key'],
  async handle({ params, body }, { organizations }) {
    await organizations.save(params.organization_identifier, body)
    return { status: 200, body: { ...params, ...body } }
  },
})

export const deleteOrganization = defineRoute<Dependencies>()({
  method: 'delete',
  path: '/stand-in/organizations/:organization_identifier',
  summary: 'Delete an organization: it can no longer grant powers',
  tags: ['operation of the stand-in'],
  auth: 'apiKey',
  request: { params: zOrganizationParams },
  responses: { 204: { description: 'The organization was deleted' } },
  errors: ['not_found', 'invalid_api_key'],
  async handle({ params }, { organizations }) {
    if (!(await organizations.remove(params.organization_identifier))) throw organizationNotFound()
    return { status: 204 }
  },
})

const path = '/stand-in/failure'
const tags = ['operation of the stand-in']
const example: Failure = { failure: 'slow', seconds: 3 }
const responses = {
  200: {
    description: 'The active failure; null if there is none',
    body: z.object({ failure: zFailure.nullable() }),
    example: { failure: example },
  },
}

export const readFailure = defineRoute<Dependencies>()({
  method: 'get',
  path,
  summary: 'Read the active failure',
  tags,
  auth: 'apiKey',
  responses,
  errors: ['invalid_api_key'],
  handle: (_input, { failures }) => ({ status: 200, body: { failure: failures.read() ?? null } }),
})

export const startFailure = defineRoute<Dependencies>()({
  method: 'put',
  path,
  summary: 'Simulate a failure of a real management API',
  tags,
  auth: 'apiKey',
  request: { body: zFailure, example },
  responses,
  errors: ['invalid_request', 'invalid_api_key'],
  handle({ body }, { failures }) {
    failures.set(body)
    return { status: 200, body: { failure: body } }
  },
})

export const endFailure = defineRoute<Dependencies>()({
  method: 'delete',
  path,
  summary: 'End the failure',
  tags,
  auth: 'apiKey',
  responses: { 200: { ...responses[200], example: { failure: null } } },
  errors: ['invalid_api_key'],
  handle(_input, { failures }) {
    failures.set(undefined)
    return { status: 200, body: { failure: null } }
  },
})
