import { runService } from '#kit/run-service.ts'
import { zMailConfig } from './config.ts'
import { createMailService } from './create-mail-service.ts'

await runService({
  name: 'mail',
  configSchema: zMailConfig,
  createService: createMailService,
  environment: process.env,
})
