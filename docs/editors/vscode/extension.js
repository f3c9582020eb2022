// Starts `msmap lsp` for Python files, and hands it the settings below "msmap".
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function settings() {
  const { command, ...rest } = vscode.workspace.getConfiguration("msmap");
  const names = ["language", "device", "mindspore", "site", "delay", "patience"];
  return Object.fromEntries(names.filter((name) => name in rest).map((name) => [name, rest[name]]));
}

async function activate(context) {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const [command, ...args] = vscode.workspace
    .getConfiguration("msmap")
    .get("command")
    .map((part) => part.replaceAll("${workspaceFolder}", folder));
  client = new LanguageClient(
    "msmap",
    "msmap",
    { command, args },
    {
      documentSelector: [{ scheme: "file", language: "python" }, { scheme: "untitled", language: "python" }],
      initializationOptions: settings(),
    },
  );
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("msmap")) {
        client.sendNotification("workspace/didChangeConfiguration", { settings: { msmap: settings() } });
      }
    }),
  );
  await client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
