// Counting what passed and failed, with one line each.

export interface Tally {
  passed: number;
  failed: number;
}

/** Runs one check; a thrown error is a failure, printed with its message, and the next check goes on. */
export async function check(tally: Tally, name: string, action: () => unknown): Promise<boolean> {
  try {
    const remark = await action();
    tally.passed++;
    console.log(`  ok      ${name}${typeof remark === 'string' ? `: ${remark}` : ''}`);
    return true;
  } catch (error) {
    tally.failed++;
    console.log(`  FAILED  ${name}\n${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}
