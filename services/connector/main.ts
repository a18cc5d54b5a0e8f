import { runService } from '#kit/run-service.ts'
import { zConnectorConfig } from './config.ts'
import { createConnectorService } from './create-connector-service.ts'

await runService({
  name: 'connector',
  configSchema: zConnectorConfig,
  createService: createConnectorService,
  environment: process.env,
})
