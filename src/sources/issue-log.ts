import type { LoadIssue } from '../snapshot/snapshot.ts';

/** More than anybody reads; hostile input would go on. */
const issuesPerFile = 200;

/** Collects what could not be used, file by file. */
export class IssueLog {
  readonly #issues: LoadIssue[] = [];
  #inFile = 0;
  #file = '';

  /** What is added from here on belongs to this file. */
  beginFile(file: string): void {
    this.endFile();
    this.#file = file;
    this.#inFile = 0;
  }

  add(issue: Omit<LoadIssue, 'file'>): void {
    if (++this.#inFile <= issuesPerFile) this.#issues.push({ ...issue, file: this.#file });
  }

  endFile(): void {
    const more = this.#inFile - issuesPerFile;
    if (more > 0) {
      this.#issues.push({ severity: 'error', file: this.#file, reason: `${more} more problems, which are not listed` });
    }
    this.#inFile = 0;
  }

  /** All issues so far, in the order in which they were found. */
  get issues(): readonly LoadIssue[] {
    return this.#issues;
  }
}
