import { runService } from '#kit/run-service.ts'
import { zIdpConfig } from './config.ts'
import { createIdpService } from './create-idp-service.ts'

await runService({
  name: 'idp',
  configSchema: zIdpConfig,
  createService: createIdpService,
  environment: process.env,
})
