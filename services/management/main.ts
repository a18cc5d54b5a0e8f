import { runService } from '#kit/run-service.ts'
import { zManagementConfig } from './config.ts'
import { createManagementService } from './create-management-service.ts'

await runService({
  name: 'management',
  configSchema: zManagementConfig,
  createService: createManagementService,
  environment: process.env,
})
