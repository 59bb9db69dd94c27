// What a browser sees that has no access: why, and the command that gives it.
export const Unpaired = ({ why }: { why: string }) => (
  <main class="unpaired">
    <h1>Pawl</h1>
    <p role="alert">No access: {why}.</p>
    <p>
      Run <code>pawl page</code> on the machine that Pawl runs on, and open the link that it prints
      in this browser.
    </p>
  </main>
);
