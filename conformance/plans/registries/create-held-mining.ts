import type { MiningControl } from './mining-control.ts'

/** Remembers whether the chain is held: one that is not is not asked to go on. */
export function createHeldMining(control: MiningControl | undefined): MiningControl {
  let isHeld = false
  return {
    async hold() {
      isHeld = true
      await control?.hold()
    },
    async mine() {
      if (!isHeld) return
      await control?.mine()
      isHeld = false
    },
  }
}
