import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { zFailure } from '#services/management/domain/failures.ts'
import type { ControlDependencies } from '../dependencies.ts'
import { relayToManagement } from '../relay-to-management.ts'

const path = '/control/:env/management-failure'
const zParams = z.object({ env: z.string() })
const responses = {
  200: {
    description: 'The failure that is on now; null where none is',
    body: z.object({ failure: zFailure.nullable() }),
  },
}

export const readManagementFailure = defineRoute<ControlDependencies>()({
  method: 'get',
  path,
  summary: 'How the management API fails on purpose',
  auth: 'control',
  request: { params: zParams },
  responses,
  errors: ['unknown_environment'],
  handle: ({ params }, dependencies) => relayToManagement(dependencies, params.env, '/failure'),
})

export const startManagementFailure = defineRoute<ControlDependencies>()({
  method: 'put',
  path,
  summary: 'Makes the management API fail as a real one does',
  auth: 'control',
  request: { params: zParams, body: zFailure },
  responses,
  errors: ['invalid_request', 'unknown_environment'],
  handle: ({ params, body }, dependencies) =>
    relayToManagement(dependencies, params.env, '/failure', { method: 'PUT', json: body }),
})

export const endManagementFailure = defineRoute<ControlDependencies>()({
  method: 'delete',
  path,
  summary: 'Mends the management API',
  auth: 'control',
  request: { params: zParams },
  responses,
  errors: ['unknown_environment'],
  handle: ({ params }, dependencies) =>
    relayToManagement(dependencies, params.env, '/failure', { method: 'DELETE' }),
})
