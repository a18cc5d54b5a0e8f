import { defineRoute } from '#kit/define-route.ts'
import type { ConnectorDependencies } from '../connector-dependencies.ts'
import {
  createIssuedCredential,
  findIssued,
  zIssuedCredential,
  zIssuedId,
} from './z-issued-credential.ts'

export const getIssuedCredential = defineRoute<ConnectorDependencies>()({
  method: 'get',
  path: '/credentials/issued/:id',
  summary: 'What became of an issuance',
  tags: ['issuer'],
  auth: 'apiKey',
  request: { params: zIssuedId },
  responses: { 200: { description: 'The issuance', body: zIssuedCredential } },
  errors: ['not_found'],
  async handle({ params }, dependencies) {
    const found = await findIssued(params.id, dependencies)
    return { status: 200, body: await createIssuedCredential(found, dependencies) }
  },
})
