import { runService } from '#kit/run-service.ts'
import { zIssuerConfig } from './config.ts'
import { createIssuerService } from './create-issuer-service.ts'

await runService({
  name: 'issuer',
  configSchema: zIssuerConfig,
  createService: createIssuerService,
  environment: process.env,
})
