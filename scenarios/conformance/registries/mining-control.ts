/** Whoever can hold the chain below a registry: the way to what is sent and not mined yet. */
export interface MiningControl {
  /** From now on no transaction is mined. */
  hold(): Promise<void>
  /** Mines what waits, and from now on whatever comes. */
  mine(): Promise<void>
}

/** Mining as one check has it: what it held goes on when the check has ended. */
export interface HeldMining extends MiningControl {
  /** Lets the chain go on where the check left it held. */
  settle(): Promise<void>
}

/** Remembers whether the chain is held. */
export function createHeldMining(control: MiningControl | undefined): HeldMining {
  let isHeld = false
  const mine = async () => {
    if (!isHeld) return
    await control?.mine()
    isHeld = false
  }
  return {
    async hold() {
      isHeld = true
      await control?.hold()
    },
    mine,
    settle: mine,
  }
}
