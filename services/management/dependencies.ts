import type { OrganizationStore } from './adapters/organization-store.ts'
import type { FailureSwitch } from './domain/failures.ts'

/** What the stand-in's routes work with. */
export interface ManagementDependencies {
  readonly organizations: OrganizationStore
  readonly failures: FailureSwitch
}
