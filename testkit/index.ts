// Public face of `provium/testkit`: the conformance check for authors of providers.

export { type CheckOptions, checkProvider, type ProviderSource } from './check-provider.ts';
export { type CheckStatus, type ConformanceReport, type ConformanceRow, formatReport } from './report.ts';
