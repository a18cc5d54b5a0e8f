import { setTimeout as wait } from 'node:timers/promises'
import type { Request } from 'express'
import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { zPower } from '#core/power/power.ts'
import { defineRoute, type Reply } from '#kit/define-route.ts'
import type { ManagementDependencies } from '../dependencies.ts'
import type { Failure } from '../domain/failures.ts'
import { zOrganizationParams } from '../domain/z-organization.ts'
import { organizationNotFound } from './organization-not-found.ts'

/**
 * The authorised powers of an organization, or the failure that was asked for.
 *
 * @assumption A-24
 */
export const getOrganization = defineRoute<ManagementDependencies>()({
  method: 'get',
  path: '/managements/organization/:organization_identifier',
  summary: 'Role and authorised powers of an organization',
  tags: ['for issuers'],
  auth: 'bearer',
  request: { params: zOrganizationParams },
  responses: {
    200: {
      description: 'The organization; role is null where it may grant nothing',
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

/** Fails as a real one does; undefined where the answer is late, but good. */
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
      throw new TestbedError({
        code: 'server_error',
        status: 500,
        message: 'It was asked to fail.',
      })
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

/** Waits, but no longer than somebody waits for the answer. */
async function waitFor(seconds: number, request: Request): Promise<void> {
  const gone = new AbortController()
  request.socket.once('close', () => gone.abort())
  await wait(seconds * 1000, undefined, { signal: gone.signal, ref: false }).catch(() => {})
}
