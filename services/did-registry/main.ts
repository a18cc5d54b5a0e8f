import { runService } from '#kit/run-service.ts'
import { zDidRegistryConfig } from './config.ts'
import { createDidRegistryService } from './create-did-registry-service.ts'

await runService({
  name: 'did-registry',
  configSchema: zDidRegistryConfig,
  createService: createDidRegistryService,
  environment: process.env,
})
