import { runService } from '#kit/run-service.ts'
import { zVerifierConfig } from './config.ts'
import { createVerifierService } from './create-verifier-service.ts'

await runService({
  name: 'verifier',
  configSchema: zVerifierConfig,
  createService: createVerifierService,
  environment: process.env,
})
