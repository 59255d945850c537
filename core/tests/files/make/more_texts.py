#!/usr/bin/env python3
"""Creates more text files in core/tests/files: in encodings of DOS and the Macintosh, with colons as delimiters, titles, a row of
totals, and the headers of other programs."""

import pathlib

FILES = pathlib.Path(__file__).resolve().parent.parent
NORDIC = "Namn;E-post;Ort\nÅsa Öberg;asa@example.se;Malmö\nBjörn Åkesson;bjorn@example.se;Växjö\nSøren Kjær;soren@example.dk;Ærø\n"
SWEDISH = "Namn;E-post;Ort\nÅsa Öberg;asa@example.se;Malmö\nBjörn Åkesson;bjorn@example.se;Växjö\n"
POLISH = "Imię;E-mail;Miasto\nŁukasz Wiśniewski;lukasz@example.pl;Gdańsk\nMałgorzata Zając;mz@example.pl;Łódź\n"
CZECH = "Jméno;E-mail;Město\nŠimon Dvořák;simon@example.cz;Plzeň\nŽofie Růžičková;zofie@example.cz;Děčín\n"
TWO = "Åsa Öberg;asa@example.se\nBo Ek;bo@example.se\n"

TEXTS = {
    "dos-437-swedish.csv": SWEDISH.encode("cp437"),
    "dos-850-nordic.csv": NORDIC.encode("cp850"),
    "dos-852-polish.csv": POLISH.encode("cp852"),
    "dos-865-nordic.csv": NORDIC.encode("cp865"),
    "macintosh-nordic.csv": NORDIC.encode("mac_roman"),
    "macintosh-czech.csv": CZECH.encode("mac_latin2"),
    "lone-copyright-sign.csv": "Name;Note\nAda Byron;© 2024\n".encode("cp1252"),
    "one-nul.csv": b"Name;Town\nAda\0;London\n",
    "delimited-by-colons.csv": "Namn:E-post:Ort\nÅsa Öberg:asa@example.se:Lund\nBo Ek::Ystad\n".encode(),
    "title-above-two-columns.csv": ("Kundlista 2024\nNamn;E-post\n" + TWO).encode(),
    "total-in-the-last-row.csv": ("Alpha;Beta\n" + TWO + "Total;\n").encode(),
    "headers-shopify.csv": (
        "First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,"
        "Default Address City,Default Address Zip,Phone\n"
        "Ada,Byron,ada@example.com,yes,Byron Ltd,12 High Street,York,YO1 7AB,+44 1904 123456\n"
    ).encode(),
    "headers-dealersocket.csv": b"First,Last,Cell,Email\nAda,Byron,555-123-4567,ada@example.com\n",
    "headers-hubspot.csv": b"Record ID,First Name,Last Name,Company Domain Name,Email\n1,Ada,Byron,byron.example,ada@example.com\n",
    "headers-woocommerce.csv": b"billing_email,user_email,display_name\nbill@example.com,ada@example.com,Ada Byron\n",
    "headers-cdk.csv": b"CUSTNO,NAME,HOMEPH,CELLPH,EMAIL\n10042,Ada Byron,555-123-4567,555-765-4321,ada@example.com\n",
    "headers-street-and-town.csv": "Namn;Postadress;Gata\nÅsa Öberg;211 42 Malmö;Storgatan 1\n".encode(),
    "headers-advertisement.csv": "Namn;Länk\nÅsa Öberg;https://ads.example/1\nBo Ek;https://ads.example/2\n".encode(),
    "mobile-in-most-rows.csv": (
        "Namn;Telefon;Mobil\nAda;08-123 456 78;070-123 45 67\nBo;;070-123 45 68\nCia;;070-123 45 69\nDan;;070-123 45 70\n"
    ).encode(),
}

for name, text in TEXTS.items():
    (FILES / name).write_bytes(text)
