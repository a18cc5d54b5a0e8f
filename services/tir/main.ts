import { runService } from '#kit/run-service.ts'
import { zTirConfig } from './config.ts'
import { createTirService } from './create-tir-service.ts'

await runService({
  name: 'tir',
  configSchema: zTirConfig,
  createService: createTirService,
  environment: process.env,
})
