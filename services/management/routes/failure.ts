import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { type Failure, zFailure } from '../domain/failures.ts'
import type { Dependencies } from './organizations.ts'

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
