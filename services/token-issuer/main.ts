import { runService } from '#kit/run-service.ts'
import { zTokenIssuerConfig } from './config.ts'
import { createTokenIssuerService } from './create-token-issuer-service.ts'

await runService({
  name: 'token-issuer',
  configSchema: zTokenIssuerConfig,
  createService: createTokenIssuerService,
  environment: process.env,
})
