import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { ControlDependencies } from '../dependencies.ts'
import { findEnvironment } from '../find-environment.ts'

const zRequest = z.object({
  organization_identifier: z.string().min(1).max(256),
  email: z.string().max(320).optional(),
  omit: z.array(z.string().max(64)).max(32).optional().describe('Claims to leave out'),
  claims: z
    .record(z.string().max(64), z.unknown())
    .optional()
    .describe('Claims to add, or to give another value'),
  expires_in: z.int().optional().describe('Lifetime in seconds'),
})

export const createBearerToken = defineRoute<ControlDependencies>()({
  method: 'post',
  path: '/control/:env/bearer-tokens',
  summary: 'A Bearer token of a representative, minted by the token issuer',
  auth: 'control',
  request: { params: z.object({ env: z.string() }), body: zRequest },
  responses: {
    200: { description: 'The token', body: z.object({ access_token: z.string() }) },
  },
  errors: ['invalid_request', 'unknown_environment', 'unknown_organization'],
  async handle({ params, body }, dependencies) {
    const { context } = findEnvironment(dependencies, params.env)
    const tokenIssuer = createHttpClient(context.runtime, {
      caller: 'control',
      dependency: 'token issuer',
      baseUrl: context.localUrls['token-issuer'],
      headers: { 'x-api-key': context.secret('api-key/token-issuer') },
    })
    const answer = await tokenIssuer.postJson('/internal/bearer-tokens', body)
    if (answer.status === 200) return { status: 200, body: answer.json }
    const problem = (answer.json ?? {}) as { error?: unknown; error_description?: unknown }
    throw new TestbedError({
      code: String(problem.error ?? 'server_error'),
      status: answer.status < 500 ? answer.status : 502,
      message: String(problem.error_description ?? 'The token issuer made no token.'),
    })
  },
})
