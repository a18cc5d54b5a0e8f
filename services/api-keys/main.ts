import { runService } from '#kit/run-service.ts'
import { zApiKeysConfig } from './config.ts'
import { createApiKeysService } from './create-api-keys-service.ts'

await runService({
  name: 'api-keys',
  configSchema: zApiKeysConfig,
  createService: createApiKeysService,
  environment: process.env,
})
