import type { ControlClient } from './control-client.ts'

/** Mends all that a scenario may have broken on purpose. */
export async function mendTestbed(
  control: Pick<ControlClient, 'listFaults' | 'setFault' | 'setManagementFailure' | 'setMining'>,
): Promise<void> {
  for (const name of await control.listFaults()) await control.setFault(name, false)
  await control.setManagementFailure(null)
  await control.setMining('auto')
}
